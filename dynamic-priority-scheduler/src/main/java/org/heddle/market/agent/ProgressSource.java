// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.io.IOException;

/** Where an agent reads how far a job is. */
@FunctionalInterface
public interface ProgressSource {
    /** @throws IOException one sentence, if the job cannot be asked now */
    JobProgress read(MarketView market) throws IOException;
}
