import Settlement

var settler = try PaymentSettler()
let payment = settler.settle(
  """
  {"payKey": "AP-2", "paymentCurrency": "EUR", "feePayer": "FEEPAYER_PRIMARYRECEIVER",
   "sender": "bea@mail.example", "senderCountry": "DE", "receiverPaymentDetails": [
     {"recipient": "market@shop.example", "subtotal": "100.00", "isPrimary": true, "country": "DE"},
     {"recipient": "lamps@shop.example", "subtotal": "60.00", "country": "FR"},
     {"recipient": "chairs@shop.example", "subtotal": "30.00", "country": "DE"}]}
  """)
guard let payment else { fatalError("a header or trailer is not a payment") }

print(payment.payKey, payment.outcome.name, payment.currency?.code ?? "")
for posting in payment.postings {
  print(posting.role.name, posting.account, "gets", posting.net, "after a fee of", posting.fee)
}
for rejection in payment.rejections {
  print(rejection.code, "at", rejection.field + ":", rejection.message)
}
