// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A state that is the list of its records: the n-th record is a text with n in it. */
public final class LogContent implements WriteAheadLog.Replay {
    private final List<String> records = new ArrayList<>();

    /** Opens a log. @return its records */
    public static List<String> open(WriteAheadLog log) throws IOException {
        LogContent content = new LogContent();
        long last = log.open(content);
        if (last != content.records.size()) {
            throw new IOException("the last number is " + last + ", and there are " + content.records.size());
        }
        return content.records;
    }

    List<String> records() {
        return records;
    }

    public static byte[] body(int number) {
        return "record %06d".formatted(number).getBytes(StandardCharsets.UTF_8);
    }

    public static List<String> upTo(int last) {
        return IntStream.rangeClosed(1, last)
                .mapToObj(i -> new String(body(i), StandardCharsets.UTF_8))
                .toList();
    }

    public static byte[] state(int last) {
        return String.join("\n", upTo(last)).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void snapshot(long number, byte[] state) {
        records.addAll(List.of(new String(state, StandardCharsets.UTF_8).split("\n", -1)));
    }

    @Override
    public void record(long number, byte[] body) {
        records.add(new String(body, StandardCharsets.UTF_8));
    }
}
