import ArgumentParser
import Console
import Failures
import FileSystem

/// The option of the commands that write to a ledger which may have a witness.
struct WitnessOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A second lock file of the ledger, on another disk, made on first use: it finds a whole folder that was put back \
      from a snapshot.
      """, valueName: "file"),
    completion: .file(), transform: named)
  var witness: String?

  /// Throws if the witness would replace what a command reads, keeps or publishes.
  func expectOwnPlace(besides paths: [String], output: String? = nil) throws(Failure) {
    guard let witness, !OutputPlace.isOwn(witness, besides: paths, outside: output) else { return }
    throw .usage(
      "--witness names what the command reads, keeps or publishes, such as the ledger or its lock file; name a file of "
        + "its own, on another disk")
  }
}
