import Foundation
import FoundationNetworking

extension HTTPURLResponse {
  /// Whether `body` has as many bytes as the head says, where that says it and nothing was encoded on
  /// the way. URLSession takes a body for complete whose length it cannot read.
  func isComplete(_ body: Data) -> Bool {
    guard let length = value(forHTTPHeaderField: "Content-Length"),
      value(forHTTPHeaderField: "Content-Encoding") == nil,
      value(forHTTPHeaderField: "Transfer-Encoding") == nil
    else { return true }
    // Said twice it stands there twice, with a comma between.
    return length.split(separator: ",", omittingEmptySubsequences: false).allSatisfy {
      Int($0.trimmingCharacters(in: .whitespaces)) == body.count
    }
  }
}
