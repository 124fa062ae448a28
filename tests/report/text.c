#include "report/support.h"
#include "support/test.h"

static const char *written(text *t)
{
  static char copies[4][400];
  static int next;
  next = (next + 1) % 4;
  snprintf(copies[next], sizeof copies[next], "%s", t->data ? t->data : "");
  text_drop(t);
  return copies[next];
}

static const char *html(const char *plain)
{
  text t = { 0 };
  text_html(&t, plain);
  return written(&t);
}

static const char *rich(const char *marked)
{
  text t = { 0 };
  text_rich(&t, marked);
  return written(&t);
}

static const char *json(const char *plain)
{
  text t = { 0 };
  text_json(&t, plain);
  return written(&t);
}

#define CHECK_TEXT(actual, expected)                                                                                   \
  do {                                                                                                                 \
    const char *text_ = (actual);                                                                                      \
    CHECK(!strcmp(text_, expected), "found '%s', expected '%s'", text_, expected);                                     \
  } while (0)

TEST(text_is_escaped)
{
  CHECK_TEXT(html("12.3 +- 0.4, a+-b"), "12.3 \xc2\xb1 0.4, a+-b");
  CHECK_TEXT(html("a < b && c > \"d\" 'e'"), "a &lt; b &amp;&amp; c &gt; &quot;d&quot; &#39;e&#39;");
  CHECK_TEXT(html("</script><script>alert(1)</script>"), "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  CHECK_TEXT(html("\xc2\xb5m \xe2\x82\xac \xf0\x9f\x98\x80"), "\xc2\xb5m \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK_TEXT(html("line\none\ttab"), "line\none\ttab");
  CHECK_TEXT(html(NULL), "");
}

#define BAD "\xef\xbf\xbd"

TEST(control_characters_and_broken_utf8_are_replaced)
{
  CHECK_TEXT(html("a\x01\x1b[31m\x7f"), "a" BAD BAD "[31m" BAD);
  CHECK_TEXT(html("\xff|\xc3|\xe2\x82|\xc0\xaf|\xed\xa0\x80|\xf5\x80\x80\x80|\xc2\x85"),
             BAD "|" BAD "|" BAD BAD "|" BAD BAD "|" BAD BAD BAD "|" BAD BAD BAD BAD "|" BAD BAD);
  CHECK_TEXT(html("cut \xe2\x82"), "cut " BAD BAD);
}

TEST(marked_text_has_code_and_raised_and_lowered_parts)
{
  CHECK_TEXT(rich("F_{c} = 10^{-5} in `a<b`"), "F<sub>c</sub> = 10<sup>-5</sup> in <code>a&lt;b</code>");
  CHECK_TEXT(rich("open _{x and ` stay, a_b, 2^3"), "open _{x and ` stay, a_b, 2^3");
  CHECK_TEXT(rich("`<script>`_{</sub>}"), "<code>&lt;script&gt;</code><sub>&lt;/sub&gt;</sub>");
}

TEST(json_cannot_end_its_script_element)
{
  CHECK_TEXT(json("a\"b\\c"), "\"a\\u0022b\\u005cc\"");
  CHECK_TEXT(json("</script><!--&\n"), "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u000a\"");
  CHECK_TEXT(json("\x02\xfe\xc2\xb5"), "\"" BAD BAD "\xc2\xb5\"");
  CHECK_TEXT(json(NULL), "\"\"");
}

/* a decoder of its own */
static size_t decode(const char *base64, unsigned char *bytes)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned held = 0, bits = 0;
  size_t count = 0;
  for (; *base64 && *base64 != '='; base64++) {
    held = held << 6 | (unsigned)(strchr(letters, *base64) - letters);
    if ((bits += 6) >= 8) bytes[count++] = (unsigned char)(held >> (bits -= 8));
  }
  return count;
}

TEST(base64_comes_back_bit_for_bit)
{
  const double values[] = { 0, -0.0, 1, -1.5, 1e-310, 1e300, INFINITY, 0.1, 100000.001 };
  enum { N = sizeof values / sizeof *values };
  for (size_t n = 0; n <= N; n++) {
    text wide = { 0 }, narrow = { 0 };
    unsigned char bytes[200];
    double back[N];
    float small[N];
    text_base64(&wide, values, n, 0);
    text_base64(&narrow, values, n, 1);
    CHECK(wide.used % 4 == 0 && narrow.used % 4 == 0, "%zu and %zu letters", wide.used, narrow.used);
    size_t got = n ? decode(wide.data, bytes) : 0;
    memcpy(back, bytes, n * 8);
    CHECK(got == n * 8 && !memcmp(back, values, n * 8), "%zu doubles gave %zu bytes", n, got);
    got = n ? decode(narrow.data, bytes) : 0;
    memcpy(small, bytes, n * 4);
    for (size_t i = 0; i < n; i++)
      CHECK(small[i] == (float)values[i], "%g came back as %g", values[i], (double)small[i]);
    CHECK(got == n * 4, "%zu floats gave %zu bytes", n, got);
    text_drop(&wide), text_drop(&narrow);
  }
}

static const char *fixed(double value, int decimals)
{
  text t = { 0 };
  text_fixed(&t, value, decimals);
  return written(&t);
}

static const char *count_text(size_t count)
{
  text t = { 0 };
  text_count(&t, count);
  return written(&t);
}

TEST(numbers_are_written_for_people)
{
  CHECK_TEXT(fixed(1.25, 1), "1.2");
  CHECK_TEXT(fixed(-0.004, 2), "0.00");
  CHECK_TEXT(fixed(-12.5, 3), "\xe2\x88\x92"
                              "12.500");
  CHECK_TEXT(fixed(1234567, 0), "1234567");
  CHECK_TEXT(count_text(999), "999");
  CHECK_TEXT(count_text(2000017), "2\xe2\x80\xaf"
                                  "000\xe2\x80\xaf"
                                  "017");
}

static const char *label(const char *unit, double size)
{
  text t = { 0 };
  frame f = { -size, 0, 0 };
  bristle_plot_axis axis = { "q", unit, 0 };
  axis_label(&axis, axis_exponent(&axis, &f), &t);
  return written(&t);
}

TEST(units_get_the_prefix_that_suits_the_values)
{
  CHECK_TEXT(label("m", 2e-5), "q (\xc2\xb5m)");
  CHECK_TEXT(label("m", 0.02), "q (mm)");
  CHECK_TEXT(label("m", 1), "q (m)");
  CHECK_TEXT(label("m", 20000), "q (m)");
  CHECK_TEXT(label("m/s^2", 1e-3), "q (mm/s\xc2\xb2)");
  CHECK_TEXT(label("N/m", 1e5), "q (kN/m)");
  CHECK_TEXT(label("N*s/m", 2e7), "q (MN\xc2\xb7s/m)");
  CHECK_TEXT(label("s", 1e5), "q (s)");
  CHECK_TEXT(label("s", 2e-9), "q (ns)");
  CHECK_TEXT(label("m^2", 2e-5), "q (\xc3\x97"
                                 "10\xe2\x81\xbb\xe2\x81\xb6 m\xc2\xb2)");
  CHECK_TEXT(label("kg", 2e-5), "q (\xc3\x97"
                                "10\xe2\x81\xbb\xe2\x81\xb6 kg)");
  CHECK_TEXT(label("m^-1", 1), "q (m\xe2\x81\xbb\xc2\xb9)");
  CHECK_TEXT(label("1", 0.5), "q");
  CHECK_TEXT(label(NULL, 5e6), "q (\xc3\x97"
                               "10\xe2\x81\xb6)");
  CHECK_TEXT(label("N", 3e30), "q (\xc3\x97"
                               "10\xc2\xb3\xe2\x81\xb0 N)");
  CHECK_TEXT(label("N", 0), "q (N)");
}

TEST(ticks_are_round_and_inside)
{
  const double spans[][2] = { { 0, 1 }, { -1.3e-7, 4e-7 }, { 99999.5, 100000.5 }, { -1e30, 2e30 }, { 0, 17 } };
  for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
    frame f = { spans[k][0], spans[k][1], 0 };
    ticks t = ticks_of(&f, 6);
    CHECK(t.count >= 3 && t.count <= 13, "%d ticks from %g to %g", t.count, f.low, f.high);
    for (int i = 0; i < t.count; i++)
      CHECK(frame_at(&f, t.at[i]) > -1e-9 && frame_at(&f, t.at[i]) < 1 + 1e-9, "%g is outside", t.at[i]);
  }
  for (double decades = 0.1; decades < 40; decades *= 1.7) {
    frame f = { -7.3, -7.3 + decades, 1 };
    ticks t = ticks_of(&f, 6);
    CHECK(t.count >= 2 && t.count <= 13, "%d ticks in %g decades", t.count, decades);
  }
}
