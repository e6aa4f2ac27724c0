import JSON
import Money
import Records
import Text

/// Receivers that payments name instead of listing them: the file of `--splits` (`splits.md`, "Profiles").
public struct SplitProfiles: Sendable {
  /// A profile: receivers as written in a batch, and the currency they are for.
  struct Profile: Sendable {
    /// The currency that payments must have; nil if any is allowed.
    let currency: Currency?
    /// The array of receivers as JSON on one line.
    let receivers: [UInt8]
  }

  /// By name.
  private var profiles: [[UInt8]: Profile] = [:]
  /// The text they were read from; empty for no profiles. A ledger stores its SHA-256 to see whether runs used the same
  /// profiles.
  public let text: [UInt8]

  /// No profiles.
  public init() { text = [] }

  /// Reads the profiles from their JSON text, for payments whose fees a schedule says: it may know a category.
  ///
  /// Throws if the text is not JSON, has an unknown key or a key twice, if a name does not have a pay key's form, or if
  /// the receivers of a profile would not make a valid payment.
  public init(json: [UInt8], schedule: FeeSchedule = .published) throws(FeeScheduleError) {
    text = json
    profiles = try FeeScheduleError.reading(json) { root throws(JSONFault) in
      var profiles: [[UInt8]: Profile] = [:]
      for (name, node) in try root.entries() {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, PayKey.isValid(bytes.span) else {
          throw node.fault("is not a name; expected \(PayKey.expected)")
        }
        profiles[bytes] = try Self.profile(node, schedule)
      }
      return profiles
    }
  }

  func find(_ name: Span<UInt8>) -> Profile? { profiles[Array(name)] }

  private static func profile(_ node: JSONNode, _ schedule: FeeSchedule) throws(JSONFault) -> Profile {
    let fields = try node.object(required: ["receiverPaymentDetails"], optional: ["paymentCurrency"])
    let receivers = fields["receiverPaymentDetails"]
    let currency = fields["paymentCurrency"].isNull ? nil : fields["paymentCurrency"]
    try receivers.expectNamesOnce()
    if currency == nil { try expectNoAmounts(receivers) }
    for receiver in receivers.tree.elements ?? [] {
      if let invoice = receiver["invoiceData"], invoice.kindName != "null" {
        throw receivers.fault("has invoiceData in a receiver; a profile has none")
      }
    }
    try settleTrial(receivers, currency, schedule)
    return Profile(
      currency: try currency.map { node throws(JSONFault) in try node.string() }.flatMap(Currency.init),
      receivers: Array(receivers.tree.description.utf8))
  }

  /// Throws if the receivers contain an amount other than zero.
  private static func expectNoAmounts(_ receivers: JSONNode) throws(JSONFault) {
    for receiver in receivers.tree.elements ?? [] {
      let places = [receiver, receiver["split"] ?? .null, receiver["keep"] ?? .null]
      for amount in places.flatMap({ [$0["subtotal"], $0["min"], $0["max"]] }) {
        if amount?.decimal()?.isZero == false {
          throw receivers.fault("has an amount; then the profile needs a paymentCurrency")
        }
      }
    }
  }

  /// Throws if a payment of a large total to these receivers has an error that the profile causes.
  private static func settleTrial(
    _ receivers: JSONNode, _ currency: JSONNode?, _ schedule: FeeSchedule
  ) throws(JSONFault) {
    var trial: [(String, JSONTree)] = [
      ("payKey", .string("trial")), ("splitTotal", .string("1e30")), ("receiverPaymentDetails", receivers.tree),
    ]
    if let currency { trial.append(("paymentCurrency", currency.tree)) }
    var line = TextBuffer()
    JSONTree.object(trial).write(to: &line)
    var judge = RecordJudge(rules: SettlementRules(schedule: schedule, strictTexts: true, unknownFields: .note))
    _ = judge.judge(line.span)
    let allowed: [RejectionReason] = [.splitExceedsTotal, .splitNotWhole, .splitZeroPart]
    guard let finding = judge.judgement.findings.first(where: { !allowed.contains($0.reason) }) else {
      if judge.judgement.count(of: .unknownField) == 0 { return }
      throw receivers.fault("has an unknown field in a receiver")
    }
    var text = TextBuffer()
    finding.path.write(to: &text)
    text.append(": ")
    judge.judgement.writeMessage(of: finding, to: &text)
    throw receivers.fault("\(finding.reason.code) at \(text.string)")
  }
}
