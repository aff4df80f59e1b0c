// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

/**
 * One finished job.
 *
 * @param user its user
 * @param begin when it was submitted, seconds since the streams began
 * @param end when it was seen to have ended
 */
record JobTime(String user, double begin, double end) {
    double took() {
        return end - begin;
    }
}
