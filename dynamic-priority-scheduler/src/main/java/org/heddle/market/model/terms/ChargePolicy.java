// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** The price of slots beyond a queue's entitlement. The paper's text and its code differ here. */
public enum ChargePolicy {
    /** Its rate for every slot (paper 3.1). */
    ALL,
    /** Nothing (the code of 2009 and its documentation). */
    NONE,
    /**
     * Its rate times the part of the cluster's slot-time that was used within entitlements during the interval: excess
     * is free in an empty cluster and costs the whole rate in a full one.
     */
    MARKET
}
