/// Arguments as a shell takes them, for commands that a message prints to be pasted.
public enum ShellWord {
  /// A text as one word: quoted if a shell would read it as anything else.
  public static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || ASCIIClass.of(byte) & ASCIIClass.identifier != 0 || "/:@%+=,".utf8.contains(byte)
    }
    if isPlain, !text.isEmpty { return text }
    return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
