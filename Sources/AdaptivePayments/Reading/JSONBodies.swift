/// The JSON of a file that has it within curl commands, or behind the head of an HTTP request.
enum JSONBodies {
  /// A text with the bodies of curl commands in their place, each line where it was, and without what stands around them.
  ///
  /// A text without commands and heads stays as it is.
  /// - Parameters:
  ///   - skip: told of the lines of a script that are no JSON.
  ///   - take: told of the commands of which no body can be told.
  static func read(
    _ text: [UInt8], skip: (RequestNote) -> Void = { _ in }, _ take: (RequestFields) -> Void
  ) -> [UInt8] {
    let isScript = ShellLine.hasCommand(text)
    var reader = ShellReader(text)
    var json: [UInt8] = []
    json.reserveCapacity(text.count)
    var line = 1
    var depth = 0
    while reader.at < text.count {
      switch ShellLine.next(in: text, at: reader.at) {
      case .command(let place):
        reader.at = place
        takeCommands(&reader, isNamed: true, take) { $0.write(into: &json, from: &line) }
      case .option: takeCommands(&reader, isNamed: false, take) { $0.write(into: &json, from: &line) }
      default:
        var plain = SourceText()
        let (start, number) = (reader.at, reader.line)
        reader.goToNextLine()
        let whole = NameValuePairs.trimmed(text[start..<reader.at])
        if ShellLine.isRequestLine(whole) {
          while reader.at < text.count, ShellLine.next(in: text, at: reader.at) != .nothing { reader.goToNextLine() }
        } else if isScript, depth == 0, let first = whole.first, !"{}[],/".utf8.contains(first) {
          if first != UInt8(ascii: "#"), whole.contains(where: NameValuePairs.isAlphanumeric) {
            skip(RequestNote(line: number, field: "", reason: "a line that is no JSON is skipped"))
          }
        } else {
          if isScript { depth = max(0, depth + nesting(whole)) }
          plain.append(text[start..<reader.at], line: number)
          plain.write(into: &json, from: &line)
        }
      }
    }
    return json
  }

  private static func takeCommands(
    _ reader: inout ShellReader, isNamed: Bool, _ take: (RequestFields) -> Void, _ write: (SourceText) -> Void
  ) {
    var isNamed = isNamed
    repeat {
      let (command, goesOn) = CurlCommand.read(from: &reader, isNamed: isNamed)
      if goesOn { return }
      if let fault = command.fault {
        take(RequestFields(unreadable: fault.reason, line: fault.line))
      } else {
        write(command.body)
      }
      isNamed = true
    } while reader.skipToCommandOfLine()
  }

  /// By how many brackets a line of JSON is deeper at its end.
  private static func nesting(_ line: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var isString = false
    var isEscaped = false
    for byte in line {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isString
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += isString ? 0 : 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= isString ? 0 : 1
      default: break
      }
    }
    return depth
  }
}
