import Claims
import ExactArithmetic
import Money
import Records
import Rules
import Text

/// Level 2: claims on payments that are refunded.
extension ShardVerdicts {
  /// Judges the refunds of each payment in batch order. A payment of the batch stands before its refunds.
  func judgeRefunds(_ earlier: EarlierSettlements?) throws(RunFailure) {
    var claims = try mergeClaims()
    var key: [UInt8] = []
    var known = RefundState.unknown
    let schedule = work.plan.options.rules.schedule
    while let (row, _) = claims.first {
      let fields = row.fields
      guard fields.count == 6, let claim = ClaimRow(fields[2...]) else {
        throw .inputOutput("\(work.shown): a claim on a payment is no row")
      }
      let isPayment = fields[1].elementsEqual("0".utf8)
      if !row.key.elementsEqual(key) {
        key = Array(row.key)
        known = isPayment ? .unknown : try state(of: Self.fingerprint(key), earlier)
      }
      if isPayment {
        known = try RefundState(claim.content, run: 0, taken: [], shown: work.shown)
      } else {
        var reader = ByteReader(claim.content[...], name: work.shown)
        let terms = try reader.refundTerms()
        let before = known
        var refusals: [ClaimRefusal] = []
        if case .refused(let all) = known.judge(terms, schedule) { refusals = all }
        try append(claim.shard) { text in
          text.append("\(claim.offset),\(claim.line),")
          text.append(refusals.map { "\($0.reason.code)" }.joined(separator: " "))
          before.append(to: &text)
        }
      }
      try claims.advance()
    }
  }

  /// A payment that an earlier run settled.
  private func state(of key: Fingerprint, _ earlier: EarlierSettlements?) throws(RunFailure) -> RefundState {
    var state = RefundState.unknown
    guard let earlier else { return state }
    let (day, window) = (gathered.day, work.plan.options.rules.refundWindow)
    try earlier.forEachPayment(of: [key]) { _, payment throws(RunFailure) in
      guard let bytes = try payment.bytes(on: day, window: window) else {
        state = .overWindow
        return
      }
      state = try RefundState(bytes, run: payment.run, taken: [], shown: work.shown)
      for refund in payment.refunds { state.take(refund.parts) }
    }
    return state
  }
}

/// A payment as its refunds find it.
enum RefundState {
  /// No such payment is settled.
  case unknown
  /// It was settled too long ago, or what a refund needs of it is not kept any more.
  case overWindow
  /// What is to be known of it, and how earlier refunds left it.
  case known([UInt8], RefundedPayment)

  init(_ bytes: [UInt8], run: Int, taken: [ExactDecimal], shown: String) throws(RunFailure) {
    guard let payment = bytes.withUnsafeBytes({ RefundablePayment($0) }),
      taken.isEmpty || taken.count == payment.receivers.count
    else { throw .inputOutput("\(shown): what is kept of a payment is damaged") }
    var refunded = RefundedPayment(payment, run: run)
    refunded.take(taken)
    self = .known(bytes, refunded)
  }

  mutating func take(_ parts: [ExactDecimal]) {
    guard case .known(let bytes, var payment) = self else { return }
    payment.take(parts)
    self = .known(bytes, payment)
  }

  /// Judges the next refund, and takes what it takes if it is made.
  mutating func judge(_ terms: RefundTerms, _ schedule: FeeSchedule) -> RefundVerdict {
    switch self {
    case .unknown: return .notSettled
    case .overWindow: return .windowPassed
    case .known(let bytes, var payment):
      defer { self = .known(bytes, payment) }
      return payment.judge(terms, schedule)
    }
  }

  /// Appends the last fields of a verdict: the run, what is to be known of the payment, and what was taken before.
  func append(to text: inout TextBuffer) {
    guard case .known(let bytes, let payment) = self else { return text.append(",,,") }
    text.append(",\(payment.run),\(Hexadecimal.text(bytes)),\(payment.taken.map(\.description).joined(separator: " "))")
  }

  /// Reads the last four fields of a verdict.
  init(_ fields: ArraySlice<ArraySlice<UInt8>>, shown: String) throws(RunFailure) {
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    if texts[1].isEmpty {
      self = texts[0] == "\(RejectionReason.refundWindowPassed.code)" ? .overWindow : .unknown
      return
    }
    let taken = texts[3].split(separator: " ").compactMap { ExactDecimal(String($0)) }
    guard let run = Int(texts[1]), let bytes = Hexadecimal.bytes(texts[2].utf8), !taken.isEmpty else {
      throw .inputOutput("\(shown): a verdict on a refund is no row")
    }
    try self.init(bytes, run: run, taken: taken, shown: shown)
  }
}

extension ByteWriter {
  /// What a refund asks for.
  mutating func refundTerms(_ terms: RefundTerms) {
    text(terms.currency?.code ?? "")
    switch terms.asked {
    case .full: byte(0)
    case .amount(let amount):
      byte(1)
      decimal(amount)
    case .receivers(let parts):
      byte(2)
      number(parts.count)
      for part in parts {
        part.account.withUnsafeBufferPointer { text($0) }
        decimal(part.amount)
        number(part.index)
      }
    }
  }
}

extension ByteReader {
  mutating func refundTerms() throws(RunFailure) -> RefundTerms {
    let code = try string()
    let currency = Currency(code: code)
    guard currency != nil || code.isEmpty else { throw damage("it names an unknown currency") }
    func decimal(_ reader: inout ByteReader) throws(RunFailure) -> ExactDecimal {
      guard let decimal = ExactDecimal(try reader.string()) else { throw reader.damage("a refund is no amount") }
      return decimal
    }
    switch try byte() {
    case 0: return RefundTerms(currency: currency, asked: .full)
    case 1: return RefundTerms(currency: currency, asked: .amount(try decimal(&self)))
    case 2:
      var parts: [RefundTerms.Part] = []
      for _ in 0..<(try number()) {
        let account = Array(try text())
        let amount = try decimal(&self)
        parts.append(RefundTerms.Part(account: account, amount: amount, index: try number()))
      }
      return RefundTerms(currency: currency, asked: .receivers(parts))
    default: throw damage("it asks for a refund of an unknown kind")
    }
  }
}
