/// The API that the samples speak to.
public struct MarketServer {}
