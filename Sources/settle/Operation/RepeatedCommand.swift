import FileSystem
import Text

/// This command once more, with other options, to be pasted.
enum RepeatedCommand {
  /// The command with `--republish`, and with an output that is free.
  ///
  /// - Parameter isFreed: whether the output will be free then.
  static func republishing(_ output: String, isFreed: Bool = false) -> String {
    let output = isFreed ? output : free(output)
    var words = ["settle"]
    var takesOutput = false
    for argument in CommandLine.arguments.dropFirst() where argument != "--republish" {
      if takesOutput {
        words.append(output)
      } else if argument.hasPrefix("--output=") {
        words.append("--output=\(output)")
      } else {
        words.append(argument)
      }
      takesOutput = argument == "--output" || argument == "-o"
    }
    words.append("--republish")
    return words.map { ShellWord.quoted(OutputPlace.shown($0)) }.joined(separator: " ")
  }

  /// The output, or a name like it that is free.
  private static func free(_ output: String) -> String {
    if OutputPlace.isGone(output) { return output }
    for number in 1... {
      let name = output + ".again" + (number == 1 ? "" : "-\(number)")
      if OutputPlace.isGone(name) { return name }
    }
    return output
  }
}
