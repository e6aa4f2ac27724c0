/// A field of a NACHA record: its characters in the line.
package struct NACHAField: Sendable {
  /// The places of its characters, from 0.
  package let range: Range<Int>

  /// - Parameter positions: from 1, as the NACHA rules count them.
  init(_ positions: ClosedRange<Int>) { range = positions.lowerBound - 1..<positions.upperBound }

  /// The number of its characters.
  package var width: Int { range.count }
}

/// The records of a NACHA file, which writing and reading share: lines of 94 characters that begin with a digit. Constant
/// fields that settle only writes are left out.
package enum NACHALayout {
  /// The characters of a line.
  package static let lineLength = 94
  /// The lines of a block: the last one is filled with lines of nines.
  package static let blockLines = 10

  package enum FileHeader {
    package static let digit = UInt8(ascii: "1")
    package static let priority = NACHAField(2...3)
    /// Nine digits, after a space.
    package static let destination = NACHAField(5...13)
    /// Right-aligned.
    package static let origin = NACHAField(14...23)
    /// YYMMDD.
    package static let creationDate = NACHAField(24...29)
    package static let creationTime = NACHAField(30...33)
    package static let modifier = NACHAField(34...34)
    /// The length of a record, the lines of a block, and the format's code.
    package static let sizes = NACHAField(35...40)
    package static let destinationName = NACHAField(41...63)
    package static let originName = NACHAField(64...86)
    package static let referenceCode = NACHAField(87...94)
  }

  package enum BatchHeader {
    package static let digit = UInt8(ascii: "5")
    package static let serviceClass = NACHAField(2...4)
    package static let companyName = NACHAField(5...20)
    package static let company = NACHAField(41...50)
    package static let entryClass = NACHAField(51...53)
    package static let description = NACHAField(54...63)
    /// YYMMDD.
    package static let effectiveDate = NACHAField(70...75)
    package static let originatorStatus = NACHAField(79...79)
    package static let odfi = NACHAField(80...87)
    package static let batch = NACHAField(88...94)
  }

  package enum Entry {
    package static let digit = UInt8(ascii: "6")
    package static let transactionCode = NACHAField(2...3)
    /// Eight digits and the check digit.
    package static let routing = NACHAField(4...12)
    /// The part of `routing` that the hash adds up.
    package static let routingDigits = NACHAField(4...11)
    package static let accountNumber = NACHAField(13...29)
    package static let amount = NACHAField(30...39)
    /// The payment's reference.
    package static let identification = NACHAField(40...54)
    package static let name = NACHAField(55...76)
    package static let hasAddenda = NACHAField(79...79)
    package static let odfi = NACHAField(80...87)
    package static let number = NACHAField(88...94)
  }

  /// What the bank says about an entry that it sends back or corrects.
  package enum Addenda {
    package static let digit = UInt8(ascii: "7")
    /// `99` of a return, `98` of a notification of change.
    package static let type = NACHAField(2...3)
    package static let reason = NACHAField(4...6)
    /// The first eight digits of the bank that had the entry.
    package static let bank = NACHAField(28...35)
    package static let corrected = NACHAField(36...64)
  }

  package enum BatchControl {
    package static let digit = UInt8(ascii: "8")
    package static let serviceClass = NACHAField(2...4)
    /// Entries and addenda.
    package static let entries = NACHAField(5...10)
    package static let hash = NACHAField(11...20)
    package static let debits = NACHAField(21...32)
    package static let credits = NACHAField(33...44)
    package static let company = NACHAField(45...54)
    package static let odfi = NACHAField(80...87)
    package static let batch = NACHAField(88...94)
  }

  package enum FileControl {
    package static let digit = UInt8(ascii: "9")
    package static let batches = NACHAField(2...7)
    package static let blocks = NACHAField(8...13)
    /// Entries and addenda.
    package static let entries = NACHAField(14...21)
    package static let hash = NACHAField(22...31)
    package static let debits = NACHAField(32...43)
    package static let credits = NACHAField(44...55)
  }
}
