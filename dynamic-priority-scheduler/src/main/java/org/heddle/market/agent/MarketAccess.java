// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.agent;

import java.io.IOException;
import java.util.List;

/** The market as an agent needs it; an account is fixed. */
public interface MarketAccess {
    /** @throws IOException one sentence, if the market cannot be asked now */
    MarketView view() throws IOException;

    /** What the other accounts paid in the past, oldest first. */
    List<Double> pastOthers() throws IOException;

    /** Sets the account's rate, from the next epoch on. */
    void setRate(double rate) throws IOException;
}
