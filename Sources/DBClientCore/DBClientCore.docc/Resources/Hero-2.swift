import DBClientCore

@Stored
struct Hero {
    @PrimaryKey let identifier: Int
    @Indexed var name: String
    var realName: String?
    var year: Int
}
