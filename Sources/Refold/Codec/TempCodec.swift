import Foundation
public struct EventCodec: Sendable {
  public init() {}
  public func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
    let e = JSONEncoder(); e.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try e.encode(value))
  }
  public func encode<T: Encodable>(_ value: T, into bytes: inout [UInt8]) throws {
    bytes.append(contentsOf: try encode(value))
  }
  public func decode<T: Decodable>(_ type: T.Type, from payload: RawSpan) throws -> T {
    try payload.withUnsafeBytes { try JSONDecoder().decode(type, from: Data($0)) }
  }
  public func decode<T: Decodable>(_ type: T.Type, from payload: [UInt8]) throws -> T {
    try JSONDecoder().decode(type, from: Data(payload))
  }
}
