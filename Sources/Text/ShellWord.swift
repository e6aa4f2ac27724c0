/// Words of commands that messages show, ready to be pasted.
public enum ShellWord {
  /// A text as one word of a shell command: in quotes if a shell would split or change it.
  public static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0 || "/._-+:@%,=".utf8.contains(byte)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
