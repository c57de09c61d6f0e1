import Testing

@testable import AvatarImage

@Suite struct SquareCropTests {
  @Test func beginsInTheMiddle() {
    let wide = SquareCrop(width: 90, height: 60)
    #expect((wide.side, wide.left, wide.top) == (60, 15, 0))
    let high = SquareCrop(width: 61, height: 90)
    #expect((high.side, high.left, high.top) == (61, 0, 14))
    let strip = SquareCrop(width: 4000, height: 1)
    #expect((strip.side, strip.left, strip.top) == (1, 1999, 0))
    #expect(SquareCrop(width: 0, height: -3).side == 1)
  }

  @Test func movesUpToTheEdges() {
    var crop = SquareCrop(width: 320, height: 160)
    crop.move(.left)
    #expect((crop.left, crop.top) == (70, 0))
    crop.move(.right, steps: 2)
    #expect(crop.left == 90)
    crop.move(.right, steps: .max)
    #expect(crop.left == 160)
    crop.move(.up)
    #expect(crop.top == 0)
    crop.move(.left, steps: -5)
    #expect(crop.left == 160)
  }

  @Test func zoomsAroundItsCenter() {
    var crop = SquareCrop(width: 800, height: 800)
    let whole = crop
    #expect(crop.side == 800)
    let wasLarger = crop.zoomOut()
    let isSmaller = crop.zoomIn()
    #expect(!wasLarger && isSmaller)
    #expect((crop.side, crop.left, crop.top) == (700, 50, 50))
    while crop.zoomIn() {}
    #expect(crop.side >= 100 && crop.side < 115)
    while crop.zoomOut() {}
    #expect(crop == whole)
  }

  @Test func isAlignedToPixels() {
    var crop = SquareCrop(width: 320, height: 160)
    let middle = crop.center
    #expect(middle == (160, 80))
    crop.center(onColumn: 100, row: 3)
    #expect((crop.left, crop.top) == (20, 0))
    #expect(crop.center == (100, 80))
    crop.zoomIn()
    crop.center(onColumn: .max, row: .min)
    #expect((crop.left, crop.top) == (320 - crop.side, 0))
    for column in 70..<250 {
      crop.center(onColumn: column, row: 75)
      #expect(crop.center == (column, 75))
    }
  }

  @Test func neverLeavesThePicture() {
    let seed: UInt64 = 42
    print("seed of the crops: \(seed)")
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<200 {
      var crop = SquareCrop(width: 1 + next(300), height: 1 + next(300))
      for _ in 0..<60 {
        switch next(6) {
        case 0: crop.zoomIn()
        case 1: crop.zoomOut()
        default: crop.move(SquareCrop.Direction.allCases[next(4)], steps: next(20))
        }
        #expect(crop.side >= 1 && crop.left >= 0 && crop.top >= 0)
        #expect(crop.left + crop.side <= crop.imageWidth && crop.top + crop.side <= crop.imageHeight)
      }
    }
  }

  @Test func cutsWhatItShows() {
    let image = RasterImage.quadrants(width: 64, height: 64)
    var crop = SquareCrop(of: image)
    for _ in 0..<8 { crop.zoomIn() }
    crop.move(.left, steps: 100)
    crop.move(.up, steps: 100)
    let cut = image.cropped(to: crop, side: 3)
    for row in 0..<3 { for column in 0..<3 { #expect(cut[column: column, row: row] == RasterImage.red) } }
    let dimmed = image.dimmed(outside: crop)
    #expect(dimmed[column: 0, row: 0] == RasterImage.red)
    #expect(dimmed[column: 63, row: 63] == RasterImage.Pixel(red: 57, green: 52, blue: 5))
    // A crop of a larger picture.
    #expect(RasterImage(width: 2, height: 2).cropped(to: SquareCrop(width: 90, height: 80), side: 2).width == 2)
  }
}
