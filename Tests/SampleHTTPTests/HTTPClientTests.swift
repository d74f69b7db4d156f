import SampleHTTP
import Testing
