import Text

/// The texts of a payee, as `Payees.Text` lists them; reused, so that payees cost no allocation.
struct PayeeTexts: ~Copyable {
  var account: [UInt8] = []
  var name = TextBuffer()
  var number = TextBuffer()
  var bank = TextBuffer()
  var address = TextBuffer()
  var retry = TextBuffer()
  var language = TextBuffer()

  mutating func removeAll(keepsAccount: Bool = false) {
    if !keepsAccount { account.removeAll(keepingCapacity: true) }
    name.removeAll()
    number.removeAll()
    bank.removeAll()
    address.removeAll()
    retry.removeAll()
    language.removeAll()
  }
}
