// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.IOException;

/** A call was not sent, because there is no subscription at the moment. */
public final class NotSubscribedException extends IOException {
    private static final long serialVersionUID = 1;

    NotSubscribedException() {
        super("not subscribed at the moment");
    }
}
