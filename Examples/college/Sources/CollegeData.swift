import ObjectGraph

/// Three teachers, three classes, four courses and six students.
struct CollegeData {
  private let context: ObjectContext

  init(_ context: ObjectContext) { self.context = context }

  func insert() throws {
    let wang = try teacher("王芳")
    let liu = try teacher("刘洋")
    let chen = try teacher("陈静")
    let first = try myClass("电子1班", head: wang)
    let second = try myClass("电子2班", head: liu)
    let third = try myClass("网络1班", head: nil)
    let cad = try course("CAD", wang)
    let c = try course("C 语言", liu)
    let structures = try course("数据结构", liu)
    let english = try course("英语", chen)
    try student("李斌", 20, first, [cad, english])
    try student("李梅", 19, first, [c, english])
    try student("张伟", 22, second, [structures])
    try student("赵敏", 21, second, [cad, c, structures])
    try student("孙悦", 18, third, [])
    try student("周杰", nil, nil, [english])
    try context.save()
  }

  private func teacher(_ name: String) throws -> Teacher {
    let teacher = try context.insert(Teacher.self)
    try teacher.set(Teacher.name, to: name)
    return teacher
  }

  private func myClass(_ name: String, head: Teacher?) throws -> MyClass {
    let myClass = try context.insert(MyClass.self)
    try myClass.set(MyClass.name, to: name)
    try myClass.set(MyClass.teacher, to: head)
    return myClass
  }

  private func course(_ name: String, _ teacher: Teacher) throws -> Course {
    let course = try context.insert(Course.self)
    try course.set(Course.name, to: name)
    try course.set(Course.teacher, to: teacher)
    return course
  }

  private func student(_ name: String, _ age: Int?, _ myClass: MyClass?, _ courses: [Course]) throws {
    let student = try context.insert(Student.self)
    try student.set(Student.name, to: name)
    try student.set(Student.age, to: age)
    try student.set(Student.myclass, to: myClass)
    try student.set(Student.courses, to: courses)
  }
}
