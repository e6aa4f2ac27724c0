/// The payments that are explained: those of the specification's examples, and some more.
enum ExplainedBatch {
  /// The keys of the payments that can be explained.
  static let payKeys = [
    "S-1", "P-1", "P-2", "C-1", "C-2", "C-3", "G-1", "G-2", "X-1", "W-1", "W-2", "CUR-HUF", "E-01", "E-02",
    "E-09", "E-12", "E-15", "E-21", "E-22", "E-23", "E-24", "E-25", "R-3", "B-1", "D-1", "C-4", "H-1", "E-40",
    "E-41", "E-42", "E-43", "A-1", "A-2", "E-50", "E-60", "E-61", "E-62", "E-63",
    "L-1", "L-2",
  ]

  /// The batch, line by line.
  static let text = #"""
    {"payKey":"S-1","paymentCurrency":"USD","recipient":"recipient@shop.example","subTotal":"10.00","paymentType":"T\#
    YPE_GOODS","merchantName":"Recipient Name","invoiceData":{"totalTax":"1.00","totalShipping":"2.00"}}
    {"payKey":"P-1","feePayer":"FEEPAYER_SENDER","sender":"Buyer@Mail.example","receiverPaymentDetails":[{"recipient\#
    ":"one@shop.example","subtotal":"10.00"},{"recipient":"two@shop.example","subtotal":"55.00"},{"recipient":"+1402\#
    9352050","subtotal":"35.00"}]}
    {"payKey":"P-2","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.00","invoiceData":{"tot\#
    alTax":"0.85","totalShipping":"0","invoiceItems":[{"name":"T-shirt","itemPrice":"5.00","itemCount":2,"totalPrice\#
    ":"10.00"}]}},{"recipient":"two@shop.example","subtotal":"35","invoiceData":{"totalTax":0,"totalShipping":3.5,"i\#
    nvoiceItems":[{"name":"Curtains","itemPrice":"29.99","itemCount":"1","totalPrice":"29.99"},{"name":"Delivery Fee\#
    ","itemPrice":"5.01","itemCount":1,"totalPrice":5.01}]}}]}
    {"payKey":"C-1","sender":"buyer@mail.example","receiverPaymentDetails":[{"recipient":"agent@shop.example","subto\#
    tal":"100.00","isPrimary":true},{"recipient":"hotel@shop.example","subtotal":"60.00"},{"recipient":"airline@shop\#
    .example","subtotal":"30.00"}]}
    {"payKey":"C-2","feePayer":"FEEPAYER_PRIMARYRECEIVER","receiverPaymentDetails":[{"recipient":"hotel@shop.example\#
    ","subtotal":"60.00"},{"recipient":"agent@shop.example","subtotal":"100.00","isPrimary":true},{"recipient":"airl\#
    ine@shop.example","subtotal":"30.00"}]}
    {"payKey":"C-3","feePayer":"FEEPAYER_SECONDARYONLY","receiverPaymentDetails":[{"recipient":"agent@shop.example",\#
    "subtotal":"20.00","isPrimary":true},{"recipient":"maker@shop.example","subtotal":"12.50"}]}
    {"payKey":"G-1","sender":"buyer@mail.example","fundingSource":"CARD","feePayer":"FEEPAYER_SENDER","receiverPayme\#
    ntDetails":[{"recipient":"friend@home.example","subtotal":"20.00","paymentType":"TYPE_PERSONAL","country":"US"},\#
    {"recipient":"aunt@home.example","subtotal":"20.00","paymentType":"TYPE_PERSONAL","country":"DE"}]}
    {"payKey":"G-2","feePayer":"FEEPAYER_SENDER","receiverPaymentDetails":[{"recipient":"friend@home.example","subto\#
    tal":"20.00","paymentType":"TYPE_PERSONAL"}]}
    {"payKey":"X-1","senderCountry":"GB","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"0.31"\#
    ,"country":"US"},{"recipient":"two@shop.example","subtotal":"0.30","country":"GB"}]}
    {"payKey":"W-1","status":"STATUS_CREATED","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"\#
    1.00"}]}
    {"payKey":"W-2","status":"STATUS_OTHER","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"1.\#
    00"}]}
    {"payKey":"CUR-HUF","paymentCurrency":"HUF","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal"\#
    :"1005"},{"recipient":"two@shop.example","subtotal":"500000000000000000000000000001"}]}
    {"payKey":"E-01","receiverPaymentDetails":[{"recipient":"one@shop.example"}]}
    {"payKey":"E-02","memo":5,"receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.00"},7]}
    {"payKey":"E-09","paymentCurrency":"RUB","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"1\#
    0.00"}]}
    {"payKey":"E-12","recipient":"one@shop.example","subTotal":"1.00","receiverPaymentDetails":[{"recipient":"one@sh\#
    op.example","subtotal":"10.00"}]}
    {"payKey":"E-15","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.00","isPrimary":true},\#
    {"recipient":"two@shop.example","subtotal":"10.00","isPrimary":true}]}
    {"payKey":"E-21","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.01","invoiceData":{"to\#
    talTax":"0","totalShipping":"0","invoiceItems":[{"name":"Mug","itemPrice":"5.00","itemCount":"2","totalPrice":"1\#
    0.01"}]}}]}
    {"payKey":"E-22","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.00","invoiceData":{"to\#
    talTax":"0","totalShipping":"0","invoiceItems":[{"name":"Mug","itemPrice":"5.00","itemCount":"2","totalPrice":"9\#
    .99"}]}}]}
    {"payKey":"E-23","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.00","isPrimary":true},\#
    {"recipient":"two@shop.example","subtotal":"9.00","invoiceData":{"totalTax":"1.00","totalShipping":"0.01"}}]}
    {"payKey":"E-24","feePayer":"FEEPAYER_SENDER","receiverPaymentDetails":[{"recipient":"one@shop.example","subtota\#
    l":"10.00","isPrimary":true},{"recipient":"two@shop.example","subtotal":"9.00"}]}
    {"payKey":"E-25","feePayer":"FEEPAYER_PRIMARYRECEIVER","receiverPaymentDetails":[{"recipient":"one@shop.example"\#
    ,"subtotal":"10.00","isPrimary":true},{"recipient":"two@shop.example","subtotal":"9.90"}]}
    {"payKey":"E-25","receiverPaymentDetails":[{"recipient":"two@shop.example","subtotal":"10.00"}]}
    {"payKey":"R-2",}
    {"payKey":"R-3","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":1.5e1,"invoiceData":{"total\#
    Tax":0.10,"totalShipping":0,"invoiceItems":[{"name":"caf\u00e9","itemPrice":"0.0125","itemCount":1200,"totalPric\#
    e":15.000}]}}]}
    {"payKey":"B-1","sender":"+14029352050","feePayer":"FEEPAYER_SENDER","receiverPaymentDetails":[{"recipient":"one\#
    @shop.example","subtotal":"1234567890123456789012345678901234567890.12","paymentType":"TYPE_SERVICE","paymentSub\#
    Type":"SUBTYPE_B2B","invoiceData":{"totalTax":"0.01","totalShipping":"99999999999999999999","invoiceItems":[{"na\#
    me":"Bridge","itemPrice":"1234567890123456789012345678901234567890.12","itemCount":1,"totalPrice":"1234567890123\#
    456789012345678901234567890.12"}]}},{"recipient":"two@shop.example","subtotal":"0.05","paymentType":"TYPE_SERVIC\#
    E"}]}
    {"payKey":"D-1","paymentCurrency":"EUR","recipient":"Shop@Shop.example","subTotal":"17.35","invoiceData":{"total\#
    Tax":"1.10","totalShipping":"0","invoiceItems":[{"name":"Nails","itemPrice":"0.0125","itemCount":"1200","totalPr\#
    ice":"14.00"},{"name":"Rope per metre","itemPrice":"1.333","itemCount":"2.5","totalPrice":"3.33"},{"name":"Bag",\#
    "itemPrice":"0.005","itemCount":4,"totalPrice":"0.02"}]}}
    {"payKey":"C-4","feePayer":"FEEPAYER_SECONDARYONLY","receiverPaymentDetails":[{"recipient":"agent@shop.example",\#
    "subtotal":"20.00","isPrimary":true},{"recipient":"maker@shop.example","subtotal":"20.00"}]}
    {"payKey":"\u0048-1","sender":"4111111111111111@card.example","recipient":"rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr\#
    rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr@shop.example","subTotal":"3.00","invoiceData":{"totalTax":"0","total\#
    Shipping":"0","invoiceItems":[{"name":"\u001b[2Jcard 4111 1111 1111 1111\nnext","itemPrice":1,"itemCount":1,"tot\#
    alPrice":1},{"name":"ÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜÜ\#
    ÜÜÜÜÜÜÜÜÜ","itemPrice":2,"itemCount":1e0,"totalPrice":2}]},"odd\/\u0007name":1}
    {"payKey":"E-40","status":"DONE","sender":"nobody","senderCountry":"XX","receiverPaymentDetails":[{"recipient":"\#
    r0@shop.example","subtotal":"1.00"},{"recipient":"r1@shop.example","subtotal":"2.00"},{"recipient":"r2@shop.exam\#
    ple","subtotal":"3.00"},{"recipient":"r3@shop.example","subtotal":"4.00"},{"recipient":"r4@shop.example","subtot\#
    al":"5.00"},{"recipient":"r5@shop.example","subtotal":"6.00"},{"recipient":"r6@shop.example","subtotal":"7.00"}]\#
    }
    {"payKey":"E-41","recipient":"one@shop.example","subTotal":"5.00","invoiceData":{"totalTax":"-1","totalShipping"\#
    :"2.00","invoiceItems":[{"itemPrice":"x","itemCount":2,"totalPrice":"5.00"},{"name":"Pen","itemPrice":"1.00","it\#
    emCount":0,"totalPrice":"0.001"},7]}}
    {"payKey":"E-42","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"5.00","isPrimary":true,"i\#
    nvoiceData":[]},{"recipient":"nobody","subtotal":"4.00"}]}
    {"payKey":"E-43","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"5.00","invoiceData":{"tot\#
    alTax":0,"totalShipping":0,"invoiceItems":{}}},{"recipient":"two@shop.example","subtotal":"4.00","invoiceData":{\#
    "totalTax":0,"totalShipping":0,"invoiceItems":[1]}}]}
    {"payKey":"A-1","recipient":"shop@shop.example","subTotal":"50.00","invoiceData":{"totalTax":"4.00","totalShipping"\#
    :"5.00"},"shippingAddress":{"state":"CA","postalcode":"94 107","countrycode":"US"},"adjustedAmounts":{"payment_amou\#
    nt":"50.00","tax":"4.74","shipping":"5.00"}}
    {"payKey":"A-2","shippingAddress":{"countrycode":"US"},"receiverPaymentDetails":[{"recipient":"agent@shop.example",\#
    "subtotal":"100.00","isPrimary":true},{"recipient":"hotel@shop.example","subtotal":"60.00"}],"adjustedAmounts":[{"a\#
    mounts":{"payment_amount":"100.00","tax":"8.00"},"recipient":"agent@shop.example"}]}
    {"payKey":"E-50","shippingAddress":{"countrycode":"US"},"receiverPaymentDetails":[{"recipient":"one@shop.example","\#
    subtotal":"10.00","invoiceData":{"totalTax":"0.81","totalShipping":"0"}},{"recipient":"two@shop.example","subtotal"\#
    :"5.00"}],"adjustedAmounts":[{"amounts":{"payment_amount":"x"},"recipient":"two@shop.example"}]}
    {"payKey":"E-60","splitTotal":"100.00","receiverPaymentDetails":[{"recipient":"one@shop.example","split":{"percent"\#
    :"60"}},{"recipient":"two@shop.example","subtotal":"50.00"},{"recipient":"three@shop.example","split":{"share":1,"m\#
    in":5}},{"recipient":"four@shop.example","split":{"share":2}}]}
    {"payKey":"E-61","splitTotal":"0.10","receiverPaymentDetails":[{"recipient":"one@shop.example","split":{"percent":"\#
    33.33"}},{"recipient":"two@shop.example","split":{"share":1,"max":"0.06"}}]}
    {"payKey":"E-62","receiverPaymentDetails":[{"recipient":"agent@shop.example","subtotal":"100.00","isPrimary":true,"\#
    keep":{"percent":"10"}},{"recipient":"hotel@shop.example","split":{"percent":"95"}}]}
    {"payKey":"E-63","splitTotal":"100.00","receiverPaymentDetails":[{"recipient":"one@shop.example","split":{"share":1\#
    }},{"recipient":"One@shop.example","split":{"share":2}}]}
    {"payKey":"L-1","splitTotal":"1000.00","receiverPaymentDetails":[{"recipient":"one@shop.example","split":{"percent\#
    ":"36.38","max":"100.00"}},{"recipient":"two@shop.example","split":{"share":1,"max":"200.00"}},{"recipient":"thre\#
    e@shop.example","split":{"share":2}},{"recipient":"four@shop.example","split":{"share":1,"min":"250.00"}}]}
    {"payKey":"L-2","splitTotal":"100.00","receiverPaymentDetails":[{"recipient":"agent@shop.example","isPrimary":tru\#
    e},{"recipient":"maker@shop.example","split":{"percent":"33.333"}},{"recipient":"two@shop.example","split":{"share\#
    ":1,"max":"10.00"}}]}

    """#

  /// An agreement, payments under it, and refunds.
  static let later = #"""
    {"type":"preapproval","preapprovalKey":"PA","createdAt":"2026-11-20T08:00:00Z","startingDate":"2026-11-20Z","end\#
    ingDate":"2026-12-20Z","currencyCode":"USD","maxTotalAmountOfAllPayments":"100","maxAmountPerPayment":"60","maxN\#
    umberOfPaymentsPerPeriod":1,"paymentPeriod":"WEEKLY","feesPayer":"SENDER"}
    {"type":"preapproval","preapprovalKey":"PA","action":"CONFIRM","createdAt":"2026-11-20T09:00:00Z","senderEmail":\#
    "Ann@mail.example"}
    {"payKey":"P-1","preapprovalKey":"PA","createdAt":"2026-11-20T10:00:00Z","feePayer":"FEEPAYER_SENDER","sender":"\#
    ann@mail.example","receiverPaymentDetails":[{"recipient":"one@shop.example","subtotal":"10.00"},{"recipient":"tw\#
    o@shop.example","subtotal":"20.00"},{"recipient":"three@shop.example","subtotal":"25.00"}]}
    {"payKey":"P-2","preapprovalKey":"PA","createdAt":"2026-11-21T10:00:00Z","feePayer":"FEEPAYER_SENDER","sender":"\#
    bob@mail.example","recipient":"one@shop.example","subTotal":"59.00"}
    {"payKey":"P-3","status":"STATUS_OTHER","recipient":"one@shop.example","subTotal":"5.00"}
    {"type":"refund","refundKey":"R-1","payKey":"P-1","amount":"10.00","currencyCode":"USD"}
    {"type":"refund","refundKey":"R-2","payKey":"P-1","receivers":[{"recipient":"two@shop.example","amount":"5.00"}]\#
    ,"currencyCode":"USD"}
    {"type":"refund","refundKey":"R-1","payKey":"P-1"}
    {"type":"refund","refundKey":"R-3","payKey":"P-1","amount":"40.01","currencyCode":"USD"}
    {"type":"refund","refundKey":"R-4","payKey":"P-3"}

    """#

  /// A schedule with plans for an account and a subtype, one that opts out, and another rounding.
  static let schedule = #"""
    {"rounding":"HALF_EVEN","plans":{"standard":{"rate":"0.029","fixed":"f"},"agents":{"rate":"0.05","crossBorder":f\#
    alse},"business":{"rate":"0.0125","fixed":"f"}},"default":"standard","personal":{"BALANCE":"agents","BANK":"stan\#
    dard","CARD":"standard"},"subTypes":{"SUBTYPE_B2B":"business"},"accounts":{"Agent@shop.example":"agents"},"cross\#
    Border":"0.01","fixed":{"f":{"AUD":"0.005","BRL":"0.005","CAD":"0.005","CHF":"0.005","CZK":"0.005","DKK":"0.005"\#
    ,"EUR":"0.005","GBP":"0.005","HKD":"0.005","HUF":"0.005","ILS":"0.005","JPY":"0.005","MXN":"0.005","MYR":"0.005"\#
    ,"NOK":"0.005","NZD":"0.005","PHP":"0.005","PLN":"0.005","SEK":"0.005","SGD":"0.005","THB":"0.005","TRY":"0.005"\#
    ,"TWD":"0.005","USD":"0.005"}}}
    """#

  /// A table of tax rates.
  static let taxes = #"""
    {"rounding":"HALF_UP","rates":[{"country":"US","percent":"8"},{"country":"US","state":"CA","percent":"10"},{"coun\#
    try":"US","state":"CA","postal":"941","percent":"8.625","shipping":true}]}
    """#
}
