// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

/**
 * A limit that is configured, not in force, and was exceeded.
 *
 * @param limit the limit's element in heddle-scheduler.xml
 * @param subject queue, user or application, such as {@code queue root.science}
 * @param text one sentence with the numbers, as they were when last seen above the limit
 * @param sinceMillis when it was first seen above the limit, ms since 1970
 * @param untilMillis when it was within the limit again; 0 if it still exceeds it
 */
public record LimitExceeded(String limit, String subject, String text, long sinceMillis, long untilMillis) {}
