// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.heddle.journal.FencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for a newer leader while one writes, so that it stops between two commits and not in the middle of one. The
 * look is on a thread of its own: a NameNode that does not answer delays no commit. It asks nothing while nothing is
 * written. What keeps an old leader out is the recovery of its lease, not this class.
 */
final class LeadCheck {
    static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final Logger LOG = LoggerFactory.getLogger(LeadCheck.class);

    /** Throws {@link FencedException} if another process leads. */
    interface Question {
        void ask() throws IOException;
    }

    private final Question question;
    private final BackgroundCheck check = new BackgroundCheck("heddle-journal-leader-check", this::ask);
    private volatile long askedNanos = System.nanoTime();
    private volatile @Nullable FencedException fenced;

    LeadCheck(Question question) {
        this.question = question;
    }

    /** @throws FencedException if an earlier look found a newer leader */
    void beforeWrite() throws FencedException {
        FencedException found = fenced;
        if (found != null) {
            throw found;
        }
        if (System.nanoTime() - askedNanos >= EVERY_NANOS) {
            check.start();
        }
    }

    private void ask() {
        try {
            question.ask();
        } catch (FencedException e) {
            fenced = e;
        } catch (IOException e) {
            LOG.debug("Whether another process leads cannot be found out now", e);
        } finally {
            askedNanos = System.nanoTime();
        }
    }
}
