import Rules
import Testing

@Suite("Tables of tax rates") struct TaxTableTests {
  @Test(
    "an invalid file",
    arguments: [
      ("[]", "is an array; expected an object"), ("{", "not JSON"), ("{}", "rounding: is missing"),
      (#"{"rounding":"HALF_UP"}"#, "rates: is missing"), (#"{"rounding":null,"rates":[]}"#, "rounding: is missing"),
      (#"{"rounding":"NEAREST","rates":[]}"#, #"rounding: is "NEAREST"; expected HALF_UP,"#),
      (#"{"rounding":"UP","rates":{}}"#, "rates: is an object; expected an array"),
      (#"{"rounding":"UP","rates":[],"rates":null}"#, "rates: is given twice"),
      (#"{"rounding":"UP","rates":[],"x":1}"#, "x: unknown key"),
      (#"{"rounding":"UP","rates":[],"exempt":["TYPE_GOODS","TYPE_GOODS"]}"#, "exempt[1]: is given twice"),
      (#"{"rounding":"UP","rates":[],"exempt":["GOODS"]}"#, #"exempt[0]: is "GOODS"; expected TYPE_NOT_SET, "#),
      (#"{"rounding":"UP","rates":[7]}"#, "rates[0]: is a number"),
      (#"{"rounding":"UP","rates":[{"country":"US"}]}"#, "rates[0].percent: is missing"),
      (#"{"rounding":"UP","rates":[{"country":"us","percent":1}]}"#, #"rates[0].country: is "us"; expected"#),
      (
        #"{"rounding":"UP","rates":[{"country":"US","percent":"100.01"}]}"#, #"percent: is "100.01"; expected 0 to 100"#
      ),
      (#"{"rounding":"UP","rates":[{"country":"US","percent":-1}]}"#, #"rates[0].percent: is "-1"; expected"#),
      (#"{"rounding":"UP","rates":[{"country":"US","percent":1,"state":""}]}"#, #"state: is ""; expected 1 to 255"#),
      (
        #"{"rounding":"UP","rates":[{"country":"US","percent":1,"postal":" - "}]}"#, #"postal: is " - "; expected more"#
      ),
      (#"{"rounding":"UP","rates":[{"country":"US","percent":1,"shipping":"no"}]}"#, "rates[0].shipping: is a string"),
      (#"{"rounding":"UP","rates":[{"country":"US","percent":1,"city":"X"}]}"#, "rates[0].city: unknown key"),
      (
        #"{"rounding":"UP","rates":[{"country":"US","state":"Ca","postal":"K1-a","percent":1},"#
          + #"{"country":"US","state":"cA","postal":"k 1A","percent":2}]}"#, "rates[1]: is for the addresses of an"
      ),
    ])
  func refuses(json: String, words: String) {
    let error = #expect(throws: FeeScheduleError.self) { try TaxTable(json: Array(json.utf8)) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("a null counts as an absent key")
  func nulls() throws {
    let json =
      #"{"rounding":"UP","exempt":null,"x":null,"rates":[{"country":"US","state":null,"postal":null,"percent":"1"}]}"#
    let table = try TaxTable(json: Array(json.utf8))
    #expect(table.rates.count == 1 && table.rates[0].state.isEmpty && table.exempt.isEmpty)
  }
}
