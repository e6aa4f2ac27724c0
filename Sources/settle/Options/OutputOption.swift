import ArgumentParser
import Console

/// The option of commands that make a directory.
struct OutputOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The directory to make; its parent must exist.", valueName: "dir"), completion: .directory,
    transform: named)
  var path: String
}
