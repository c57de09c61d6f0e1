import Foundation

@testable import ObjectGraph

/// Classes for the models of the case file that classes can declare, and their properties by name.
enum CaseClasses {
  /// The classes of a model of the file's header; nil for a model that is only described.
  static func classes(_ model: String) -> [Object.Type]? { models[model] }

  private static let models: [String: [Object.Type]] = [
    "college": [College.MyClass.self, College.Course.self, College.Student.self, College.Teacher.self],
    "shop": [Shop.Category.self, Shop.Item.self, Shop.Tag.self], "family": [Family.Person.self],
    "tree": [Tree.Node.self], "ring": [Ring.Link.self],
    "music": [Music.Album.self, Music.Playlist.self, Music.Song.self],
    "press": [Press.Author.self, Press.Publication.self],
    "company": [Company.Department.self, Company.Employee.self, Company.Company.self, Company.Customer.self],
  ]

  enum College {
    final class MyClass: Object {
      @Attribute var name: String?
      @ToMany(onDelete: .cascade) var students: [Student]
      @ToOne(inverse: \Teacher.myclass) var teacher: Teacher?
    }
    final class Course: Object {
      @Attribute var name: String?
      @ToOne(inverse: \Teacher.courses) var teacher: Teacher?
      @ToMany var students: [Student]
    }
    final class Student: Object {
      @Attribute var name: String?
      @Attribute var age: Int?
      @ToMany(inverse: \Course.students) var courses: [Course]
      @ToOne(inverse: \MyClass.students) var myclass: MyClass?
    }
    final class Teacher: Object {
      @Attribute var name: String?
      @ToMany(onDelete: .cascade) var courses: [Course]
      @ToOne var myclass: MyClass?
    }
  }

  enum Shop {
    final class Category: Object {
      @Attribute var name: String?
      @Attribute var rank: Int?
      @ToOne(inverse: \Category.children) var parent: Category?
      @ToMany var children: [Category]
      @ToMany var items: [Item]
    }
    final class Item: Object {
      @Attribute var title: String?
      @Attribute var note: String?
      @Attribute var count: Int?
      @Attribute var price: Double?
      @Attribute var active: Bool?
      @Attribute var made: Date?
      @Attribute var blob: Data?
      @Attribute var code: UUID?
      @ToOne(inverse: \Category.items) var category: Category?
      @ToMany(inverse: \Tag.items) var tags: [Tag]
    }
    final class Tag: Object {
      @Attribute var name: String?
      @Attribute var weight: Int?
      @ToMany var items: [Item]
    }
  }

  enum Family {
    final class Person: Object {
      @Attribute var name: String?
      @Attribute var age: Int?
      @ToOne(inverse: \Person.reports) var manager: Person?
      @ToMany var reports: [Person]
      @ToOne(symmetric: true) var spouse: Person?
      @ToMany(symmetric: true) var friends: [Person]
    }
  }

  enum Tree {
    final class Node: Object {
      @Attribute var name: String?
      @ToOne(inverse: \Node.children) var parent: Node?
      @ToMany(onDelete: .cascade, ordered: true) var children: [Node]
    }
  }

  enum Ring {
    final class Link: Object {
      @Attribute var name: String?
      @ToOne(inverse: \Link.previous, onDelete: .cascade) var next: Link?
      @ToOne var previous: Link?
    }
  }

  enum Music {
    final class Album: Object {
      @Attribute var title: String?
      @ToMany(ordered: true) var tracks: [Song]
    }
    final class Playlist: Object {
      @Attribute var name: String?
      @ToMany(ordered: true) var songs: [Song]
    }
    final class Song: Object {
      @Attribute var title: String?
      @ToOne(inverse: \Album.tracks) var album: Album?
      @ToMany(inverse: \Playlist.songs) var playlists: [Playlist]
    }
  }

  enum Press {
    final class Author: Object {
      @Attribute var firstName: String?
      @Attribute var lastName: String?
      @ToMany var publications: [Publication]
    }
    final class Publication: Object {
      @Attribute var title: String?
      @Attribute var publicationDate: Date?
      @Attribute var pages: Int?
      @ToOne(inverse: \Author.publications) var mainAuthor: Author?
    }
  }

  enum Company {
    final class Department: Object {
      @Attribute var name: String?
      @ToMany(onDelete: .cascade) var employees: [Employee]
    }
    final class Employee: Object {
      @Attribute var name: String?
      @Attribute var salary: Int?
      @ToOne(inverse: \Department.employees) var department: Department?
    }
    final class Company: Object {
      @Attribute var name: String?
      @ToMany var customers: [Customer]
    }
    final class Customer: Object {
      @Attribute var name: String?
      @ToOne(inverse: \Company.customers) var company: Company?
    }
  }
}
