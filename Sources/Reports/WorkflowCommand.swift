import Text

/// Texts of workflow commands of GitHub Actions: `::error file=NAME,line=1,title=TITLE::message`.
enum WorkflowCommand {
  /// Appends a message, or the value of a property.
  static func append(_ bytes: UnsafePointer<UInt8>, count: Int, isProperty: Bool = false, to text: inout TextBuffer) {
    for index in 0..<count {
      switch bytes[index] {
      case UInt8(ascii: "%"): text.append("%25")
      case UInt8(ascii: ":") where isProperty: text.append("%3A")
      case UInt8(ascii: ",") where isProperty: text.append("%2C")
      default: text.append(bytes[index])
      }
    }
  }
}
