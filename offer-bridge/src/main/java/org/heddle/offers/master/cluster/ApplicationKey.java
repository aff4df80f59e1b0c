// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

/** A framework in one of its roles: it has one YARN application. */
public record ApplicationKey(String frameworkId, String role) {}
