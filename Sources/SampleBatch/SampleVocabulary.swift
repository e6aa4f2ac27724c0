import Money

/// The words that names, notes and addresses are put together from.
///
/// Tables are plain ASCII but for `accented` and `escaped`, which stand in for another word now and then.
struct SampleVocabulary: Sendable {
  /// The one vocabulary there is.
  static let shared = SampleVocabulary()

  private init() {}

  /// The codes of all countries, by their place.
  let countryCodes = WordTable(words: Country.all.map(\.code.utf8))

  let qualities = WordTable(
    """
    Classic Organic Vintage Compact Deluxe Portable Wireless Handmade Slim Premium Basic Rugged Folding Modern Rustic
    Soft Heavy Light Quilted Striped Printed Woven Brushed Polished Padded Recycled Insulated Stackable Magnetic
    Waterproof Breathable Ergonomic Adjustable Reversible Stainless Nordic Alpine Coastal Urban Royal Little Grand
    Double Single Travel Family Junior Everyday Winter Summer Autumn Spring Original Signature Limited Seasonal
    Professional Essential Smart Quick Silent Bright Fresh Roasted Smoked Aged Crisp Tender Wild Raw Dried Glazed
    Hooded Fitted Cropped Tailored Stretch Relaxed Lined Knitted Embroidered Tufted Carved Etched Matte Glossy
    Foldable Cordless Digital Analog Solar Electric Manual Universal Mini Maxi Twin Triple Oval Round Square Narrow
    """)

  let materials = WordTable(
    """
    Cotton Linen Wool Silk Leather Suede Denim Canvas Velvet Bamboo Oak Walnut Maple Pine Birch Teak Cedar Steel Copper
    Brass Bronze Silver Golden Titanium Aluminium Glass Crystal Marble Granite Slate Ceramic Porcelain Clay Paper
    Cardboard Rubber Silicone Nylon Polyester Fleece Cashmere Mohair Merino Hemp Jute Cork Rattan Wicker Enamel Acrylic
    Red Blue Green Yellow Orange Purple Pink Brown Black White Grey Navy Teal Olive Beige Ivory Amber Coral Indigo
    Violet Crimson Scarlet Turquoise Lavender Mint Charcoal Khaki Burgundy Mustard Sand Ruby Emerald Sapphire Pearl
    """)

  let products = WordTable(
    """
    Shirt Jacket Trousers Scarf Gloves Hat Socks Boots Sandals Sneakers Belt Wallet Backpack Suitcase Umbrella Raincoat
    Sweater Hoodie Dress Skirt Blouse Apron Towel Blanket Pillow Curtains Rug Carpet Lamp Lantern Candle Mirror Clock
    Vase Bowl Plate Mug Teapot Kettle Toaster Blender Grinder Pan Skillet Casserole Knife Spoon Fork Tray Basket Bottle
    Flask Jar Chair Table Desk Shelf Cabinet Bench Stool Sofa Bed Mattress Drawer Wardrobe Notebook Planner Pencil Pen
    Eraser Stapler Folder Envelope Calendar Poster Postcard Puzzle Kite Drum Guitar Violin Flute Harmonica Camera Tripod
    Lens Charger Cable Adapter Keyboard Mouse Monitor Speaker Headphones Microphone Router Tablet Printer Cartridge
    Drill Hammer Wrench Pliers Ladder Toolbox Saw Sander Clamp Brush Roller Bucket Hose Sprinkler Rake Shovel Wheelbarrow
    Bicycle Helmet Pump Saddle Pedals Tent Hammock Compass Binoculars Telescope Thermometer Barometer Coffee Tea Honey
    Chocolate Biscuits Cheese Butter Olives Pasta Rice Spices Salt Vinegar Jam Granola Almonds Walnuts Raisins Juice
    Seeds Bulbs Planter Trellis Birdhouse Aquarium Leash Collar Kennel Feeder Bracelet Necklace Earrings Ring Brooch
    """)

  let phrases = WordTable(
    """
    order parcel delivery before noon please leave with neighbour gift wrapped for birthday thank you second instalment
    of three as agreed by telephone including service charge deposit balance due next week ticket number seat row
    booking reference room night breakfast included transfer from airport hotel guide tour museum entry adult child
    group discount applied monthly subscription renewal annual membership club fee licence support maintenance hosting
    domain storage repair labour spare parts replacement under warranty return exchange size colour changed on request
    express standard overnight pickup point locker customs declaration handling packaging insurance freight pallet
    invoice attached see contract clause rent utilities share dinner lunch taxi petrol concert cinema picnic weekend
    trip cottage lesson tuition course workshop exam book consultation hour travel expenses refund difference voucher
    campaign season summer winter sale clearance sample trial introductory price per unit weight gross net batch lot
    harvest bottled roasted picked fresh frozen chilled fragile upright keep dry handle carefully signature required
    reserve stock warehouse bay dock shift crew captain dispatch tracking courier van bicycle van route stop window
    """)

  let givenNames = WordTable(
    """
    anna ben carla david elena felix grace hugo ines jonas karin liam maria noah olga paul quinn rosa simon tara ulrich
    vera walter xenia yusuf zoe amir bella chen diego emma farid gina hans irene jorge kenji laura mehmet nadia oscar
    priya rafael sofia tomas ursula viktor wanda ximena yuki zara aisha bruno clara daniel erik fatima george hanna ivan
    julia klaus lena marco nina omar petra rahul sara theo uma vincent wei yara adam birgit carlos dora emil
    """)

  let familyNames = WordTable(
    """
    silva kowalski smith jones garcia muller schmidt fischer weber meyer wagner becker rossi russo ferrari bianchi
    martin bernard dubois thomas robert petit durand moreau novak svoboda dvorak nagy kovacs toth horvath szabo hansen
    johansen olsen larsen andersen nielsen jensen pedersen johansson karlsson nilsson eriksson virtanen korhonen
    tanaka suzuki takahashi watanabe ito yamamoto kim lee park choi chen wang zhang liu yang huang zhao wu singh kumar
    sharma patel gupta khan ali ahmed hassan yilmaz kaya demir celik santos oliveira souza pereira costa fernandes
    lopez martinez gonzalez perez sanchez ramirez torres flores rivera gomez diaz cruz reyes morales ortiz cohen levi
    mizrahi peretz brown taylor wilson evans walker wright thompson white hughes edwards green hall wood clarke
    """)

  let shopWords = WordTable(
    """
    northwind harbor cedar lotus falcon meadow summit river lantern copper juniper willow anchor beacon compass maple
    orchard pebble quarry ridge saffron timber umber valley walnut yonder zephyr amber breeze canyon delta ember
    fjord glacier hazel island jasper kestrel lagoon marina nectar oasis prairie quartz raven sierra tundra umbra velvet
    wander acorn bramble clover dune elm fern grove heron iris jetty knoll linden mossy noble opal pine quill reed
    sable thistle union vista wharf yarrow zenith atlas borealis cobalt domino echo fable gala halo indigo
    """)

  let shopKinds = WordTable(
    """
    books travel tickets foods wines crafts outfitters hardware pharmacy gardens music games sports optics jewels toys
    bakery coffee florist printing events rentals tours hotels airlines transit repairs studio market supply trading
    press records cycles marine motors fabrics lighting ceramics kitchens
    """)

  let hosts = WordTable(
    "mail.example post.example inbox.example home.example letters.example family.example office.example web.example")

  let deskNames = WordTable("orders sales billing accounts shop payments office hello store finance desk till")

  /// Country codes, as often as parties come from there.
  let countries = WordTable(
    """
    US US US US US US US US US US US US GB GB GB GB GB DE DE DE DE DE FR FR FR IT IT ES ES NL NL CA CA CA AU AU AU JP
    JP BR MX SE NO DK FI PL CZ HU CH AT BE IE PT IN IN SG HK TW TH MY PH IL TR NZ ZA AR
    """)

  let accented = WordTable(
    """
    Café Crème Naïve Smörgås Grüße Straße Ærø Öland Ålesund Señor Año Piñata Jalapeño Façade Garçon Rôti Château Über
    Größe Äpfel Łódź Żubr Kraków Příbor Žatec Győr Pécs İzmir Çay Şeker São Pão Irmãos 東京 緑茶 寿司 抹茶 台北 香港 ไทย Ελλάδα
    № € 🎁 🚲 ☕
    """)

  // As they stand in JSON: each backslash begins an escape.
  let escaped = WordTable(
    #"""
    Caf\u00e9 Cr\u00e8me Na\u00efve Gr\u00fcn \u00d8l Pi\u00f1a Fa\u00e7ade \"Best\" \"No.1\" 12\" 19\" A\/B and\/or
    1\/2 C:\\Lot \u20ac5 \u00a35 \ud83c\udf81 \u2013 \u00bd Ma\u00df \u6771\u4eac tab\there \u0041-1 S\u00e3o R&B\u2122
    """#)
}
