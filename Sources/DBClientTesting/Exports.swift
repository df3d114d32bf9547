// The tests of a backend use the clients and generators of the tests of an app.
@_exported public import DBClientTestSupport

#if !Macros
#error("DBClientTesting needs the trait Macros; DBClientTestSupport needs none.")
#endif
