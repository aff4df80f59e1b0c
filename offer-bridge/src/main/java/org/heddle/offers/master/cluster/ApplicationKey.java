// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

/** Names a YARN application: each framework has one for each of its roles. */
public record ApplicationKey(String frameworkId, String role) {}
