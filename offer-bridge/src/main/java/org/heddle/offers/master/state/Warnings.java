// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Problems that last and that an operator should mend: each is logged once, and shown on the console while it lasts.
 * Thread-safe.
 */
public final class Warnings {
    private static final Logger LOG = LoggerFactory.getLogger(Warnings.class);

    private final Map<String, String> sentences = new ConcurrentSkipListMap<>();

    /** @param sentence the problem and the way out; empty if there is no problem with {@code subject} */
    public void set(String subject, String sentence) {
        if (sentence.isEmpty()) {
            if (sentences.remove(subject) != null) {
                LOG.info("No longer: {}", subject);
            }
        } else if (!sentence.equals(sentences.put(subject, sentence))) {
            LOG.warn("{}", sentence);
        }
    }

    /** The sentences, in the order of their subjects. */
    public List<String> sentences() {
        return List.copyOf(sentences.values());
    }
}
