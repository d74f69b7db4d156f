import CSQLite
import EventStoreCore
