import Failures
import Payouts
import SystemPackage

/// Why a file of answers is not read. Messages quote no value of these files.
struct AnswerFault: Error {
  enum Code: String, CaseIterable {
    case notAnAnswer = "NOT_AN_ANSWER"
    case answerKind = "ANSWER_KIND"
    case malformedXML = "MALFORMED_XML"
    case xmlDoctype = "XML_DOCTYPE"
    case xmlEncoding = "XML_ENCODING"
    case xmlLimit = "XML_LIMIT"
    case missingElement = "MISSING_ELEMENT"
    case achLine = "ACH_LINE"
    case achRecord = "ACH_RECORD"
  }

  let line: Int
  let code: Code
  let message: String

  func reported(_ file: String) -> ReportedFault {
    ReportedFault(file: file, line: line, code: code.rawValue, field: nil, message: message)
  }
}

/// Why reading a file ended before its end.
enum ReadingStop: Error {
  case fault(AnswerFault)
  case system(Errno)
  case failed(Failure)
}
