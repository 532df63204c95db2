/* test_sha256.c - the examples of FIPS 180-4; pieces of any size give the same digest. */
#include "core/sha256.h"
#include "support/check.h"

static const char *digest(const void *bytes, size_t length, size_t piece) {
  static char text[ANK_SHA256_TEXT];
  ank_sha256 sha;
  ank_sha256_start(&sha);
  for (size_t at = 0; at < length; at += piece)
    ank_sha256_put(&sha, (const char *)bytes + at, length - at < piece ? length - at : piece);
  ank_sha256_end(text, &sha);
  return text;
}

TEST(examples_of_the_standard_hold) {
  static char many[1000000];
  memset(many, 'a', sizeof many);
  assert_string_equal(digest("", 0, 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert_string_equal(digest("abc", 3, 3),
                      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert_string_equal(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 56),
                      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  assert_string_equal(digest(many, sizeof many, sizeof many),
                      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(pieces_of_any_size_give_the_same) {
  unsigned char bytes[200];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(7 * i);
  for (size_t length = 0; length <= sizeof bytes; length++) {
    char whole[ANK_SHA256_TEXT];
    memcpy(whole, digest(bytes, length, sizeof bytes), sizeof whole);
    assert_string_equal(digest(bytes, length, 1), whole);
    assert_string_equal(digest(bytes, length, 63), whole);
  }
}
