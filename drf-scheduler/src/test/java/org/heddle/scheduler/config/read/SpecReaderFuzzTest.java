// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.heddle.scheduler.config.ConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever the bytes: a specification, or the one exception with one line. Nothing else. */
@Tag("pure")
class SpecReaderFuzzTest {
    private static final int MUTATIONS = 10_000;
    private static final List<String> TOKENS = List.of(
            "<",
            ">",
            "/>",
            "</queue>",
            "<queue name=\"a\">",
            "<queue name=\"root\">",
            "&lt;",
            "&#0;",
            "&#x1F600;",
            "&x;",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "<?xml version=\"1.1\"?>",
            "<!DOCTYPE a>",
            "\"",
            "'",
            "%",
            "-",
            "1e999",
            "NaN",
            "99999999999999999999",
            "\u0000",
            "\uD800",
            "\uFEFF",
            " ",
            ".",
            "*",
            "name=\"\"",
            "xmlns=\"urn:x\"",
            "xml:space=\"preserve\"",
            "encoding=\"UTF-16\"",
            "encoding=\"nonsense\"",
            "version=\"1\"");

    @Test
    void mutatedFilesAreReadOrRefusedInOneLine() {
        byte[] good = Samples.FULL.getBytes(StandardCharsets.UTF_8);
        int refused = 0;
        for (int seed = 0; seed < MUTATIONS; seed++) {
            byte[] mutated = mutate(good, new SplittableRandom(seed));
            try {
                assertThat(Samples.reader().read("f.xml", mutated).root().path())
                        .isEqualTo("root");
            } catch (ConfigurationException e) {
                refused++;
                assertThat(e)
                        .as("seed %d", seed)
                        .message()
                        .startsWith("f.xml: ")
                        .doesNotContainPattern("[\\r\\n]");
                assertThat(e.problems()).as("seed %d", seed).isNotEmpty();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ":\n" + new String(mutated, StandardCharsets.UTF_8), e);
            }
        }
        assertThat(refused).as("mutations that hurt").isBetween(MUTATIONS / 2, MUTATIONS - 1);
    }

    private static byte[] mutate(byte[] good, RandomGenerator random) {
        byte[] bytes = good;
        for (int left = random.nextInt(1, 4); left > 0; left--) {
            int from = random.nextInt(bytes.length + 1);
            int to = Math.min(bytes.length, from + random.nextInt(30));
            bytes = switch (random.nextInt(6)) {
                case 0 -> join(bytes, 0, from, new byte[0], bytes, to);
                case 1 -> join(bytes, 0, from, token(random), bytes, from);
                case 2 -> join(bytes, 0, from, token(random), bytes, to);
                case 3 -> join(bytes, 0, from, slice(bytes, random), bytes, from);
                case 4 -> join(bytes, 0, from, new byte[] {(byte) random.nextInt(256)}, bytes, Math.min(from + 1, to));
                default -> join(bytes, 0, from, new byte[0], bytes, bytes.length);
            };
        }
        return bytes;
    }

    private static byte[] token(RandomGenerator random) {
        return TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] slice(byte[] bytes, RandomGenerator random) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(200));
        return java.util.Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] join(byte[] head, int from, int to, byte[] middle, byte[] tail, int tailFrom) {
        byte[] all = new byte[to - from + middle.length + tail.length - tailFrom];
        System.arraycopy(head, from, all, 0, to - from);
        System.arraycopy(middle, 0, all, to - from, middle.length);
        System.arraycopy(tail, tailFrom, all, to - from + middle.length, tail.length - tailFrom);
        return all;
    }
}
