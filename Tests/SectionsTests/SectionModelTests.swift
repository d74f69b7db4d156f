import Sections
import Testing
