import Text

/// Texts of workflow commands of GitHub Actions: `::error file=NAME,line=1,title=TITLE::message`.
enum WorkflowCommand {
  /// Appends a message, or the value of a property.
  static func append(_ value: Span<UInt8>, isProperty: Bool = false, to text: inout TextBuffer) {
    for place in value.indices {
      switch value[place] {
      case UInt8(ascii: "%"): text.append("%25")
      case UInt8(ascii: ":") where isProperty: text.append("%3A")
      case UInt8(ascii: ",") where isProperty: text.append("%2C")
      case let byte: text.append(byte)
      }
    }
  }
}
