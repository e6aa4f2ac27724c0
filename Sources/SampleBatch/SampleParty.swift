/// A party of sample payments: a merchant or a person, by number from 0.
///
/// Its name, address and country depend only on its number, so the same parties appear in every batch.
struct SampleParty: Hashable {
  let isMerchant: Bool
  let number: UInt64

  /// Bits from which its details are taken.
  @inline(__always)
  var particulars: UInt64 { SampleRandom.mixed(number << 1 | (isMerchant ? 1 : 0)) }

  /// Whether its account is a phone number and not an email address.
  @inline(__always)
  var hasPhone: Bool { particulars % 29 == 3 }
}

/// The number of merchants and persons; merchants are a tenth of all.
struct SampleParties {
  let merchants: UInt64
  let persons: UInt64

  /// At least 100 parties, so that there are enough different ones for any payment.
  init(accounts: Int) {
    let all = UInt64(max(100, accounts))
    merchants = all / 10
    persons = all - merchants
  }

  /// Draws a merchant. A few are drawn very often: the first one every tenth time if there are 10,000.
  @inline(__always)
  func merchant(_ random: inout SampleRandom) -> SampleParty {
    let rank = random.rank(below: merchants)
    return SampleParty(isMerchant: true, number: random.chance(50) ? rank : min(rank, random.rank(below: merchants)))
  }

  /// Draws a person; two times in five, one of those who pay often.
  @inline(__always)
  func person(_ random: inout SampleRandom) -> SampleParty {
    let number = random.chance(40) ? random.rank(below: persons) : random.below(persons)
    return SampleParty(isMerchant: false, number: number)
  }
}
