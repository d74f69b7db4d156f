#if canImport(Glibc)
  import Glibc
  import Testing

  /// The columns that the C library gives text: what most terminals on Linux go by.
  struct LibcWidth {
    private typealias Function = @convention(c) (wchar_t) -> Int32

    private let wcwidth: Function
    private let locale: locale_t

    init() throws {
      // Swift's Glibc does not show it, since it is an extension of X/Open.
      let symbol = try #require(dlsym(nil, "wcwidth"))
      wcwidth = unsafeBitCast(symbol, to: Function.self)
      locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    }

    /// The columns of `text`, scalar by scalar.
    func of(_ text: some StringProtocol) -> Int {
      text.unicodeScalars.reduce(0) { $0 + max(0, of($1) ?? 0) }
    }

    /// The columns of `scalar`, or nil where the library does not know it.
    func of(_ scalar: Unicode.Scalar) -> Int? {
      // For this thread only: the process has tests of others.
      let before = uselocale(locale)
      defer { uselocale(before) }
      let width = wcwidth(wchar_t(scalar.value))
      return width < 0 ? nil : Int(width)
    }
  }
#endif
