// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.List;
import org.apache.mesos.v1.Protos.FrameworkInfo;

/** A framework's roles, named in the one way or the other. */
public final class RoleNames {
    private RoleNames() {}

    @SuppressWarnings("deprecation") // frameworks without MULTI_ROLE name their one role so
    public static List<String> of(FrameworkInfo info) {
        boolean multiRole = info.getCapabilitiesList().stream()
                .anyMatch(one -> one.getType() == FrameworkInfo.Capability.Type.MULTI_ROLE);
        return multiRole ? info.getRolesList().stream().distinct().toList() : List.of(info.getRole());
    }
}
