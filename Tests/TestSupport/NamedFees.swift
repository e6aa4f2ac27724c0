import Rules

extension FeeSchedule {
  /// A schedule with named fees: bounds, VAT, bases, categories, countries, currencies and sources of money, returned
  /// and kept fees, an account with its own plan, and plans without names.
  public static let named: FeeSchedule = {
    guard let schedule = try? FeeSchedule(json: Array(namedText.utf8)) else {
      preconditionFailure("the schedule of tests is broken")
    }
    return schedule
  }()

  private static let namedText = #"""
    {"rounding":"HALF_UP","crossBorder":"0.01","default":"market","refunds":"KEEP",
     "personal":{"BALANCE":"free","BANK":"free","CARD":"plain"},
     "subTypes":{},"accounts":{"gold@shop.example":"gold"},
     "plans":{
      "market":{"fees":[
       {"name":"commission","rate":"0.08","base":"ITEMS","vat":"0.19","categories":["books"],"refunds":"RETURN"},
       {"name":"commission","rate":"0.12","base":"ITEMS","min":"least","max":"most","vat":"0.19","refunds":"RETURN"},
       {"name":"processing","rate":"0.029","fixed":"card","vat":"0.19","crossBorder":true,"fundingSources":["CARD"]},
       {"name":"processing","rate":"0.015","base":"WITHOUT_SHIPPING"},
       {"name":"listing","fixed":"card","countries":["DE","US"],"currencies":["EUR","USD"],"refunds":"RETURN"},
       {"name":"listing"}]},
      "gold":{"fees":[{"name":"commission","rate":"0.05","base":"WITHOUT_TAX","vat":"0.07"}]},
      "plain":{"rate":"0.029","fixed":"all"},
      "free":{"rate":"0","crossBorder":false}},
     "fixed":{
      "least":{"EUR":"1.00","USD":"1.10","JPY":"150"},"most":{"EUR":"50.00","USD":"55.00","JPY":"7500"},
      "card":{"EUR":"0.355","USD":"0.30","JPY":"40"},
      "all":{"AUD":"0.3","BRL":"0.3","CAD":"0.3","CHF":"0.3","CZK":"0.3","DKK":"0.3","EUR":"0.3","GBP":"0.3","HKD":"0.3",
       "HUF":"30","ILS":"0.3","JPY":"30","MXN":"0.3","MYR":"0.3","NOK":"0.3","NZD":"0.3","PHP":"0.3","PLN":"0.3",
       "SEK":"0.3","SGD":"0.3","THB":"0.3","TRY":"0.3","TWD":"30","USD":"0.3"}}}
    """#
}
