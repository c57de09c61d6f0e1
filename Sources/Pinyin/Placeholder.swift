// Pinyin
