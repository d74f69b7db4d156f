import Foundation
import Refold
import Testing

/// What a type writes after an attempt of its own has failed.
@Suite struct FallbackTests {
  private enum Key: String, CodingKey { case a, b }

  private struct NotFinite: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do { try container.encode(Double.nan) } catch { try container.encode("nan") }
    }
  }

  @Test func a_scalar_at_the_root_may_follow_a_failure() throws {
    let bytes = try EventCodec().encode(NotFinite())
    #expect(String(decoding: bytes, as: UTF8.self) == #""nan""#)
    #expect(String(decoding: try EventCodec().encode([NotFinite()]), as: UTF8.self) == #"["nan"]"#)
  }

  private struct Refuses: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .a)
      throw CocoaError(.coderInvalidValue)
    }
  }

  private struct Instead: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do { try container.encode(Refuses()) } catch { try container.encode(2) }
    }
  }

  @Test func a_scalar_at_the_root_may_follow_an_object_that_failed() throws {
    #expect(String(decoding: try EventCodec().encode(Instead()), as: UTF8.self) == "2")
    #expect(String(decoding: try EventCodec().encode([Instead()]), as: UTF8.self) == "[2]")
  }
}
