import ExactArithmetic
import Money
import Records

/// A fee plan: a rate of what the receiver keeps, and a fixed fee in each currency.
public struct FeePlan: Sendable {
  public let name: String
  /// The rate, from 0 to 1.
  public let rate: ExactDecimal
  /// The rate of a cross-border payment: the plain one if the plan opts out.
  public let crossBorderRate: ExactDecimal
  /// Whether the schedule's cross-border rate is added for cross-border payments.
  public let addsCrossBorder: Bool
  /// The name of its table of fixed fees, or nil if it has none.
  public let fixedTable: String?
  /// The fixed fee by `Currency.index`; zero if the plan has no table.
  public let fixed: [ExactDecimal]
  /// Whether it has named fees, and so neither a rate nor a fixed fee of its own.
  public let isNamed: Bool
  /// Its fees by name, in the order of the schedule; empty if no plan of the schedule has any. Otherwise a plan without
  /// named fees has one, which is called `fee`.
  public internal(set) var fees: [NamedFee]
}

/// What payments cost: plans, and the rules that choose a plan (`rules.md`, "Fee schedule").
public struct FeeSchedule: Sendable {
  /// The text it was read from. A ledger stores its SHA-256 to see whether runs used the same schedule.
  public let text: [UInt8]
  /// Whether it is the built-in schedule, not one from a file.
  public var isBuiltIn = false
  /// How an assessed fee is rounded to the currency's decimals.
  public let rounding: RoundingMode
  /// The plans, in the order of the schedule.
  public let plans: [FeePlan]
  /// The rate that is added for a cross-border payment.
  public let crossBorder: ExactDecimal
  /// The index in `plans` of the plan that applies if no other does.
  public let defaultPlan: Int
  /// Indices in `plans` of the plans of personal payments, by `FundingSource.number`.
  public let personalPlans: [Int]
  /// Indices in `plans` by `PaymentSubType.number`; -1 if a subtype has no plan of its own.
  public let subTypePlans: [Int]
  /// Whether refunds return fees (`refunds.md`, "Fees").
  public let returnsFees: Bool
  /// The accounts that have a plan of their own, in lower case, in the order of the schedule.
  public let accountPlans: TextNumbers
  /// Indices in `plans` of the plans of payments with a card, by `CardEntry.number`; empty if the schedule treats
  /// cards like any other funding source (`cards.md`).
  public let cardPlans: [Int]
  /// The names of fees, in the order in which plans first have them; empty if no plan has named fees.
  public let names: [[UInt8]]
  /// The categories that fees depend on.
  let categories: TextNumbers

  /// Whether any plan has named fees (`fees.md`).
  public var hasNames: Bool { !names.isEmpty }
  /// The names that a night shows, if it shows any.
  public var shownNames: [[UInt8]] { hasNames ? names : [Self.plainName] }
  /// Whether a receiver may have a category.
  public var hasCategories: Bool { !categories.isEmpty }

  /// The categories that a fee is for; nil for any.
  public func categories(of fee: NamedFee) -> [String]? {
    fee.categories?.map { String(decoding: categories.entries[$0].text, as: UTF8.self) }
  }

  /// The name of the fee of a plan without named fees.
  public static let plainName = Array("fee".utf8)

  /// Whether a text is the name of a fee: 1 to 32 of `a-z`, `0-9` and `-`, the first a letter.
  public static func isName(_ name: [UInt8]) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard (1...32).contains(name.count), letters.contains(name[0]) else { return false }
    return name.allSatisfy {
      letters.contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// Why a plan applies, in the order in which the rules are tried.
  public enum Choice: UInt8, Sendable {
    /// The payment is personal: the funding source's plan.
    case personal
    /// The account has a plan of its own.
    case account
    /// The payment's subtype has a plan of its own.
    case subType
    /// The payment was made with a card: the plan for how the card was read applies.
    case card
    /// No other plan applies.
    case otherwise
  }

  /// A receiver's plan, as an index in `plans`, and why it applies.
  ///
  /// - Parameters:
  ///   - account: the receiver's account in lower case.
  ///   - entry: how the payment's card was read; nil if it has none.
  public func plan(
    type: PaymentType, subType: PaymentSubType, fundingSource: FundingSource, account: Span<UInt8>, entry: CardEntry?
  ) -> (place: Int, choice: Choice) {
    if type == .personal { return (personalPlans[Int(fundingSource.number)], .personal) }
    if !accountPlans.isEmpty, let place = accountPlans.number(of: account) {
      return (place, .account)
    }
    let place = subTypePlans[Int(subType.number)]
    if place >= 0 { return (place, .subType) }
    if let entry, !cardPlans.isEmpty { return (cardPlans[Int(entry.number)], .card) }
    return (defaultPlan, .otherwise)
  }
}

extension FeeSchedule {
  /// The published schedule that is built into the engine (`data/fees.json`).
  public static let published: FeeSchedule = {
    do {
      var schedule = try FeeSchedule(json: PublishedFees.json)
      schedule.isBuiltIn = true
      return schedule
    } catch {
      preconditionFailure("the built-in fee schedule is broken: \(error)")
    }
  }()
}
