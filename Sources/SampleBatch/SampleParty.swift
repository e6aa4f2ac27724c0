/// One of the parties that a sample's payments are between: a merchant or a person, by number from 0.
///
/// Its name, address and country follow from its number alone, so the same parties come up again in every batch.
struct SampleParty: Hashable {
  let isMerchant: Bool
  let number: UInt64

  /// Bits that its particulars are taken from.
  @inline(__always)
  var particulars: UInt64 { SampleRandom.mixed(number << 1 | (isMerchant ? 1 : 0)) }

  /// Whether it goes by a phone number rather than by an email address.
  @inline(__always)
  var hasPhone: Bool { particulars % 29 == 3 }
}

/// How many parties of either sort there are; merchants are a tenth of all.
struct SampleParties {
  let merchants: UInt64
  let persons: UInt64

  /// At least 100 parties, so that any payment finds as many different ones as it needs.
  init(accounts: Int) {
    let all = UInt64(max(100, accounts))
    merchants = all / 10
    persons = all - merchants
  }

  /// A merchant; a few of them come up very often: the first one every tenth time if there are 10,000.
  @inline(__always)
  func merchant(_ random: inout SampleRandom) -> SampleParty {
    let rank = random.rank(below: merchants)
    return SampleParty(isMerchant: true, number: random.chance(50) ? rank : min(rank, random.rank(below: merchants)))
  }

  /// A person; two times in five, one of those who pay often.
  @inline(__always)
  func person(_ random: inout SampleRandom) -> SampleParty {
    let number = random.chance(40) ? random.rank(below: persons) : random.below(persons)
    return SampleParty(isMerchant: false, number: number)
  }
}
