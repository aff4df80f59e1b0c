// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.config;

import java.time.Duration;
import org.heddle.market.security.RateLimits.Limits;

/**
 * Limits of requests, signatures and keys. No administrator needs others; tests do.
 *
 * @param window maximum age of a signature
 * @param ahead maximum time by which a signer's clock is ahead, and by which the clocks of two ResourceManagers differ;
 *     for this time after it became active, a ResourceManager refuses signed requests that only read
 * @param rates of requests, changes and keys
 * @param keepEndedKeys time for which ended keys are listed
 */
public record WebLimits(Duration window, Duration ahead, Limits rates, Duration keepEndedKeys) {
    public static final WebLimits DEFAULT =
            new WebLimits(Duration.ofMinutes(1), Duration.ofSeconds(10), Limits.DEFAULT, Duration.ofDays(90));

    /** The same with other rates. */
    public WebLimits with(Limits others) {
        return new WebLimits(window, ahead, others, keepEndedKeys);
    }
}
