import Money
import Records

// Writing addresses, names and notes: nothing in them decides what becomes of the payment.
extension PaymentComposer {
  /// The account of a party; the letter case varies, as accounts compare without it.
  mutating func writeAddress(of party: SampleParty) {
    pen.write(#"""#)
    let start = pen.at
    if party.hasPhone {
      pen.write(party.isMerchant ? "+1" : "+44")
      pen.write(number: 2_000_000_000 + party.number)
    } else if party.isMerchant {
      writeShopAddress(party)
    } else {
      writePersonAddress(party)
    }
    let first = start.pointee
    if first >= UInt8(ascii: "a"), random.chance(6) { start.pointee = first - 0x20 }
    pen.write(#"""#)
  }

  private mutating func writePersonAddress(_ party: SampleParty) {
    let bits = party.particulars
    pen.write(word(vocabulary.givenNames, bits >> 8))
    pen.write(bits & 1 == 0 ? "." : "_")
    pen.write(word(vocabulary.familyNames, bits >> 20))
    pen.write(number: party.number)
    pen.write("@")
    pen.write(word(vocabulary.hosts, bits >> 32))
  }

  private mutating func writeShopAddress(_ party: SampleParty) {
    let bits = party.particulars
    pen.write(word(vocabulary.deskNames, bits >> 44))
    pen.write("@")
    writeShopHost(party)
  }

  private mutating func writeShopHost(_ party: SampleParty) {
    let bits = party.particulars
    pen.write(word(vocabulary.shopWords, bits >> 8))
    pen.write("-")
    pen.write(vocabulary.shopKinds[shopKind(of: party)])
    pen.write(number: party.number)
    pen.write(".example")
  }

  @inline(__always)
  private func word(_ table: WordTable, _ bits: UInt64) -> WordTable.Word {
    table[Int(bits & 0xFFF) % table.count]
  }

  /// The name of an article: the same bits make the same name.
  mutating func writeItemName(_ article: UInt64) {
    pen.write(#"""#)
    pen.write(word(vocabulary.qualities, article >> 4))
    pen.write(" ")
    let lot = article >> 16 & 31
    let table = lot == 0 ? vocabulary.accented : lot == 1 ? vocabulary.escaped : vocabulary.materials
    pen.write(word(table, article >> 21))
    pen.write(" ")
    pen.write(word(vocabulary.products, article >> 33))
    if lot >= 20 {
      pen.write(", size ")
      pen.write(number: 14 + lot)
    }
    pen.write(#"""#)
  }

  mutating func writeItemIdentifier(_ article: UInt64) {
    pen.write(#","itemId":"SKU-"#)
    pen.write(number: article >> 40 & 0xFFFF, digits: 5)
    pen.write(article & 64 == 0 ? #"-EU""# : #"-A""#)
  }

  mutating func writeMemo() {
    pen.write(#""Order "#)
    pen.write(number: UInt64(draft.index))
    pen.write(": ")
    writeSentence(words: 3)
    pen.write(#"""#)
  }

  /// The sentence that 32 bits choose; one opening has the same ending most often.
  @inline(__always)
  private mutating func writeSentence(_ bits: UInt64) {
    let opening = Int(bits & 0xFFFF) % SampleSentences.openings.count
    let ending = bits >> 30 & 3 == 0 ? Int(bits >> 16 & 0x3FFF) : opening
    pen.write(SampleSentences.openings[opening])
    pen.write(SampleSentences.endings[ending % SampleSentences.endings.count])
  }

  /// Any sentence and, now and then, up to some words more.
  private mutating func writeSentence(words: Int) {
    writeSentence(random.next())
    guard random.chance(30) else { return }
    for _ in 0..<1 + random.below(words) {
      pen.write(" ")
      let lot = random.below(24)
      let table = lot == 0 ? vocabulary.accented : lot == 1 ? vocabulary.escaped : vocabulary.phrases
      pen.write(table.any(&random))
    }
  }

  mutating func writeNotificationURL() {
    let party = draft.receivers.first?.party ?? SampleParty(isMerchant: true, number: 0)
    pen.write(#""https://"#)
    writeShopHost(party)
    if random.chance(10) { pen.write(":8443") }
    pen.write("/payments/ipn/notify?source=mobile&order=")
    pen.write(number: UInt64(draft.index))
    pen.write(#"""#)
  }

  /// The receiver's name and description: those of a merchant seldom change.
  mutating func writeReceiverNotes(_ receiver: ReceiverDraft) {
    let bits = receiver.party.particulars
    if receiver.party.isMerchant, bits & 15 != 0 {
      pen.write(#","merchantName":""#)
      writeCapitalized(word(vocabulary.shopWords, bits >> 8))
      pen.write(" ")
      writeCapitalized(vocabulary.shopKinds[shopKind(of: receiver.party)])
      pen.write(bits & 16 == 0 ? #"""# : #" Ltd.""#)
    }
    if random.chance(84) {
      pen.write(#","description":""#)
      if receiver.party.isMerchant, random.chance(80) {
        writeSentence(bits >> 32)
      } else {
        writeSentence(words: 2)
      }
      pen.write(#"""#)
    }
  }

  /// The receiver's own identifier of the payment.
  mutating func writeCustomIdentifier(number: Int) {
    pen.write(#","customId":"INV-2026-"#)
    pen.write(number: UInt64(draft.index), digits: 8)
    pen.write("-")
    pen.write(number: UInt64(number + 1))
    pen.write(#"""#)
  }

  private mutating func writeCapitalized(_ word: WordTable.Word) {
    let start = pen.at
    pen.write(word)
    start.pointee -= 0x20
  }
}
