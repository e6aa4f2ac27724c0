// Writes addresses, names and notes, which do not affect how the payment is settled.
extension PaymentComposer {
  /// Writes the account of a party. Its letter case varies, because accounts compare without it.
  mutating func writeAddress(of party: SampleParty) {
    text.append(#"""#)
    let start = text.count
    if party.hasPhone {
      text.append(party.isMerchant ? "+1" : "+44")
      text.append(number: 2_000_000_000 + party.number)
    } else if party.isMerchant {
      text.append(word(SampleVocabulary.deskNames, party.particulars >> 44))
      text.append("@")
      writeShopHost(party)
    } else {
      writePersonAddress(party)
    }
    if text[start] >= UInt8(ascii: "a"), random.chance(6) { capitalize(start) }
    text.append(#"""#)
  }

  private mutating func writePersonAddress(_ party: SampleParty) {
    let bits = party.particulars
    text.append(word(SampleVocabulary.givenNames, bits >> 8))
    text.append(bits & 1 == 0 ? "." : "_")
    text.append(word(SampleVocabulary.familyNames, bits >> 20))
    text.append(number: party.number)
    text.append("@")
    text.append(word(SampleVocabulary.hosts, bits >> 32))
  }

  private mutating func writeShopHost(_ party: SampleParty) {
    let bits = party.particulars
    text.append(word(SampleVocabulary.shopWords, bits >> 8))
    text.append("-")
    text.append(SampleVocabulary.shopKinds[shopKind(of: party)])
    text.append(number: party.number)
    text.append(".example")
  }

  private func word(_ words: [String], _ bits: UInt64) -> String {
    words[Int(bits & 0xFFF) % words.count]
  }

  /// Writes the name of an article. The same bits make the same name.
  mutating func writeItemName(_ article: UInt64) {
    text.append(#"""#)
    text.append(word(SampleVocabulary.qualities, article >> 4))
    text.append(" ")
    let lot = article >> 16 & 31
    let words = lot == 0 ? SampleVocabulary.accented : lot == 1 ? SampleVocabulary.escaped : SampleVocabulary.materials
    text.append(word(words, article >> 21))
    text.append(" ")
    text.append(word(SampleVocabulary.products, article >> 33))
    if lot >= 20 {
      text.append(", size ")
      text.append(number: 14 + lot)
    }
    text.append(#"""#)
  }

  mutating func writeItemIdentifier(_ article: UInt64) {
    text.append(#","itemId":"SKU-"#)
    text.append(number: article >> 40 & 0xFFFF, digits: 5)
    text.append(article & 64 == 0 ? #"-EU""# : #"-A""#)
  }

  mutating func writeMemo() {
    text.append(#""Order "#)
    text.append(number: UInt64(draft.index))
    text.append(": ")
    writeSentence(words: 3)
    text.append(#"""#)
  }

  /// Writes the sentence that 32 bits choose. An opening mostly has the same ending.
  private mutating func writeSentence(_ bits: UInt64) {
    let opening = Int(bits & 0xFFFF) % SampleVocabulary.openings.count
    let ending = bits >> 30 & 3 == 0 ? Int(bits >> 16 & 0x3FFF) : opening
    text.append(SampleVocabulary.openings[opening])
    text.append(SampleVocabulary.endings[ending % SampleVocabulary.endings.count])
  }

  /// Writes any sentence, sometimes with up to `words` more phrases.
  private mutating func writeSentence(words: Int) {
    writeSentence(random.next())
    guard random.chance(30) else { return }
    for _ in 0..<1 + random.below(words) {
      text.append(" ")
      let lot = random.below(24)
      let words = lot == 0 ? SampleVocabulary.accented : lot == 1 ? SampleVocabulary.escaped : SampleVocabulary.phrases
      text.append(random.any(of: words))
    }
  }

  mutating func writeNotificationURL() {
    let party = draft.receivers.first?.party ?? SampleParty(isMerchant: true, number: 0)
    text.append(#""https://"#)
    writeShopHost(party)
    if random.chance(10) { text.append(":8443") }
    text.append("/payments/ipn/notify?source=mobile&order=")
    text.append(number: UInt64(draft.index))
    text.append(#"""#)
  }

  /// Writes the receiver's name and description; those of a merchant seldom change.
  mutating func writeReceiverNotes(_ receiver: ReceiverDraft) {
    let bits = receiver.party.particulars
    if receiver.party.isMerchant, bits & 15 != 0 {
      text.append(#","merchantName":""#)
      writeCapitalized(word(SampleVocabulary.shopWords, bits >> 8))
      text.append(" ")
      writeCapitalized(SampleVocabulary.shopKinds[shopKind(of: receiver.party)])
      text.append(bits & 16 == 0 ? #"""# : #" Ltd.""#)
    }
    if random.chance(84) {
      text.append(#","description":""#)
      if receiver.party.isMerchant, random.chance(80) {
        writeSentence(bits >> 32)
      } else {
        writeSentence(words: 2)
      }
      text.append(#"""#)
    }
  }

  /// Writes the receiver's own identifier of the payment.
  mutating func writeCustomIdentifier(number: Int) {
    text.append(#","customId":"INV-2026-"#)
    text.append(number: UInt64(draft.index), digits: 8)
    text.append("-")
    text.append(number: UInt64(number + 1))
    text.append(#"""#)
  }

  private mutating func writeCapitalized(_ word: String) {
    let start = text.count
    text.append(word)
    capitalize(start)
  }

  /// Makes the small letter at a place of the text a capital one.
  private mutating func capitalize(_ place: Int) { text.change(place..<place + 1) { $0[0] -= 0x20 } }
}
