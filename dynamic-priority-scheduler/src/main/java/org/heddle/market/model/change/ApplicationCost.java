// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;

/**
 * The cost of one application, or of all applications with one name and user, in a part of an account's statement.
 *
 * @param application its id; empty for more than one application
 * @param name given by its user; empty for the sum of applications that are not listed
 * @param user empty for the sum of applications that are not listed
 * @param count number of applications; 0 for the sum of applications that are not listed, which are not counted
 * @param first when the first of its charges was written, wall clock
 * @param last when the last of its charges was written, wall clock
 * @param slotMillis what it used in intervals in which it was charged, in whole slot-milliseconds
 * @param charged its part of the account's charges
 */
public record ApplicationCost(
        String application,
        String name,
        String user,
        long count,
        Instant first,
        Instant last,
        long slotMillis,
        Credits charged) {
    /** The grouping of costs. */
    public enum By {
        /** One cost for each application. */
        APPLICATION,
        /** One cost for each name and user: all runs of a job. */
        NAME
    }
}
