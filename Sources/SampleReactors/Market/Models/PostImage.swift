import Foundation

/// What a picture of a post must be. The app and the server go by the same: one that is too large is
/// not even sent.
public enum PostImage {
  /// 10 MiB, the most that a picture may have.
  public static let maximumBytes = 10 << 20

  /// - Throws: `AppError.tooLarge` for an image of more than `maximumBytes`.
  public static func checkSize(of image: Data) throws(AppError) {
    guard image.count <= maximumBytes else {
      throw .tooLarge(what: "the image", bytes: image.count, limit: maximumBytes)
    }
  }
}
