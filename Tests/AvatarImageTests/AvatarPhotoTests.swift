import Testing

@testable import AvatarImage

@Suite struct AvatarPhotoTests {
  @Test func theSizeIsBoundedEvenForNoise() throws {
    let image = RasterImage.noise(width: 700, height: 500, seed: 3, isOpaque: false)
    let avatar = try AvatarPhoto(image, crop: SquareCrop(of: image))
    #expect(avatar.png.count <= AvatarPhoto.maximumBytes)
    #expect(avatar.side >= 100 && avatar.side < AvatarPhoto.maximumSide)
  }

  @Test func encodingIsDeterministic() throws {
    let bytes = try ImageFolder.fixtures().bytes("jpeg-icc.jpg")
    let avatar = try AvatarPhoto(bytes: bytes)
    #expect(try AvatarPhoto(bytes: bytes) == avatar)
    // Encoding it again changes nothing.
    #expect(try AvatarPhoto(bytes: avatar.png) == avatar)
    #expect(avatar.side == 64)
  }

  @Test func keepsClearPixels() throws {
    var image = RasterImage(width: 10, height: 10, filledWith: RasterImage.red)
    image[column: 0, row: 0] = RasterImage.Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    let avatar = try AvatarPhoto(image, crop: SquareCrop(of: image))
    let again = try ImageDecoder.decode(avatar.png)
    #expect(again[column: 0, row: 0].alpha == 0)
    #expect(again[column: 5, row: 5] == RasterImage.red)
  }
}
