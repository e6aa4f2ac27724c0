import Text

/// Texts of workflow commands of GitHub Actions: `::error file=NAME,line=1,title=TITLE::message`.
enum WorkflowCommand {
  /// Appends a message.
  static func append(text bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    append(bytes, count: count, isProperty: false, to: &text)
  }

  /// Appends the value of a property.
  static func append(property bytes: UnsafePointer<UInt8>, count: Int, to text: inout TextBuffer) {
    append(bytes, count: count, isProperty: true, to: &text)
  }

  private static func append(
    _ bytes: UnsafePointer<UInt8>, count: Int, isProperty: Bool, to text: inout TextBuffer
  ) {
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
